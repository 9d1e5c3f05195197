import HTTP1Codec
import NIOCore
import Routing
import Testing

@testable import ForwardProxy

@Suite("A route in the terms of pools and tokens")
struct RequestRouteTermsTests {
    private func route(_ fields: String = "") throws -> RequestRoute {
        let api = APIRoute(
            index: 3,
            name: "api",
            hosts: [try HostPattern("api.test")],
            accounts: ["default", "alice"],
            acceptsEnrolled: true
        )
        let router = Router(apis: APITable([api]), access: AccessPolicy())
        var known: KnownOrigin?
        let head = try requestHead("GET http://\(fields.isEmpty ? "other" : "api").test/ HTTP/1.0\n\(fields)\n")
        return try router.decide(absolute: head, known: &known)
    }

    @Test("An account is known by its place, or by its name where it may be enrolled")
    func accounts() throws {
        let configured = try route("Paraph-Account: alice\n")
        #expect(configured.accountReference == .configured(api: 3, account: 1))
        #expect(configured.target == UpstreamTarget(kind: .api(3), authority: configured.authority))
        let enrolled = try route("Paraph-Account: bob\n")
        #expect(enrolled.accountReference == .enrolled(api: 3, name: "bob"))
    }

    @Test("A host of no API has no account, and connections of its own kind")
    func passedOn() throws {
        let passed = try route()
        #expect(passed.accountReference == nil)
        #expect(passed.target.kind == .plain)
    }
}
