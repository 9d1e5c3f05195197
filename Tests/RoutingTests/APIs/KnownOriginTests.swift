import Bytes
import HTTP1Codec
import NIOCore
import Testing

@testable import Routing

@Suite("Origins that a client has named before")
struct KnownOriginTests {
    private static let targets = [
        "http://api.example.com/", "http://api.example.com/a?b=c", "http://api.example.com", "http://api.example.com?q",
        "http://api.example.com:80/x", "http://api.example.com:443/x", "http://api.example.com.evil.test/",
        "http://api.example.comevil.test/", "http://API.example.com/", "https://api.example.com/",
        "ws://api.example.com/",
        "http://clear.example.com/", "http://clear.example.com:80/", "https://clear.example.com/",
        "http://confined.example.com/1.1/x", "http://confined.example.com/2/x", "http://a.wild.example.com:8443/",
        "http://b.wild.example.com:8443/", "http://[::1]:9000/", "http://[0::1]:9000/", "http://other.test/",
    ]
    private static let hosts = [
        nil, "api.example.com", "API.example.com", "api.example.com:80", "api.example.com:443", "clear.example.com",
        "clear.example.com:80", "confined.example.com", "a.wild.example.com:8443", "[::1]:9000", "[0::1]:9000",
        "other.test",
    ]

    private func decide(_ router: Router, _ target: String, _ host: String?, _ known: inout KnownOrigin?)
        throws -> Result<RequestRoute, Refusal>
    {
        let head = try RequestHead("GET", target, ["Host": host, "Paraph-Account": "alice"])
        return router.result(absolute: head, known: &known)
    }

    private func describe(_ decision: Result<RequestRoute, Refusal>) -> String {
        switch decision {
        case .failure(let refusal): "refuse \(refusal)"
        case .success(let route):
            "\(decision.words), \(String(buffer: route.requestTarget)), Host \(String(buffer: route.host)), "
                + "replacing \(route.replacesTarget) and \(route.replacesHost)"
        }
    }

    @Test("A request is decided upon as if it were the first, whatever came before", arguments: Self.targets)
    func decidesTheSame(before: String) throws {
        let router = try RouterFixture.router()
        for earlierHost in Self.hosts {
            var first: KnownOrigin?
            _ = try decide(router, before, earlierHost, &first)
            for target in Self.targets {
                for host in Self.hosts {
                    var (none, known) = (nil as KnownOrigin?, first)
                    let alone = try decide(router, target, host, &none)
                    let after = try decide(router, target, host, &known)
                    #expect(describe(alone) == describe(after), "\(target) for \(host ?? "nobody") after \(before)")
                    guard let route = after.route, !route.replacesHost else { continue }
                    let field = try Authority(
                        parsing: try #require(host),
                        defaultPort: route.scheme.defaultPort
                    )
                    #expect(field == route.authority)
                }
            }
        }
    }

    @Test("The origin that was named last is known, in the same bytes and with the same in Host")
    func knows() throws {
        let router = try RouterFixture.router()
        var known: KnownOrigin?
        _ = try decide(router, "http://api.example.com/a", "api.example.com", &known)
        let first = try #require(known)
        let decision = try decide(router, "http://api.example.com/b", "api.example.com", &known)
        #expect(known === first)
        #expect(first.hostNamesUpstream)
        #expect(decision.route?.replacesHost == false)
        _ = try decide(router, "http://API.example.com/a", "api.example.com", &known)
        #expect(known !== first)
    }

    @Test("What a client may use is asked again for an origin that another has named")
    func admitsEachClient() throws {
        let router = try RouterFixture.router(clients: [
            RouterFixture.client("all", password: "p"), RouterFixture.client("few", password: "p", apis: ["clear"]),
        ])
        func decide(_ client: String, _ known: inout KnownOrigin?) throws -> Result<RequestRoute, Refusal> {
            let fields: KeyValuePairs<String, String?> = ["Proxy-Authorization": RouterFixture.basic("\(client):p")]
            return router.result(absolute: try RequestHead("GET", "http://api.example.com/", fields), known: &known)
        }
        var known: KnownOrigin?
        #expect(try decide("all", &known).words == "forward t/default to api.example.com:443")
        #expect(known != nil)
        #expect(try decide("few", &known).words == "refuse api_not_allowed")
        #expect(known == nil)
    }

    @Test("Nothing is known after a host of no API")
    func forgets() throws {
        let router = try RouterFixture.router()
        var known: KnownOrigin?
        _ = try decide(router, "http://api.example.com/a", "api.example.com", &known)
        #expect(known != nil)
        _ = try decide(router, "http://other.test/", "other.test", &known)
        #expect(known == nil)
    }
}
