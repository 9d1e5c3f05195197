import Credentials
import HTTP1Codec
import NIOCore
import NIOEmbedded
import OAuthSigning
import Routing
import Testing

@testable import ForwardProxy

@Suite("The authorization of one request")
struct RequestAuthorizationTests {
    /// Returns a wait that is over, for an exchange where that is given.
    private func wait(wasUnderWay: Bool?) -> TokenWait {
        let budget = SharedBudget()
        let usage = ClientUsage(name: "test", connections: budget, places: budget, surplus: budget, memory: budget)
        let wait = TokenWait(of: TokenClient(usage: usage, address: nil), for: .seconds(1))
        let clock = EmbeddedClock()
        let complete = wait.limited(by: clock, on: clock.loop) { _ in }
        if let wasUnderWay { wait.begin(wasUnderWay: wasUnderWay) {} }
        complete(nil)
        return wait
    }

    private func route(_ head: RequestHead) throws -> RequestRoute {
        let api = APIRoute(
            index: 0,
            name: "api",
            hosts: [try HostPattern("api.test")],
            accounts: ["default"],
            acceptsEnrolled: false
        )
        let router = Router(apis: APITable([api]), access: AccessPolicy())
        var known: KnownOrigin?
        return try router.decide(absolute: head, known: &known)
    }

    @Test("It is come by at once, after a wait, or by the exchange of another request")
    func arrivals() {
        let atHand = RequestAuthorization.Arrival(after: nil)
        #expect(atHand == .atHand)
        for wasUnderWay in [nil, false] as [Bool?] {
            let awaited = RequestAuthorization.Arrival(after: wait(wasUnderWay: wasUnderWay))
            #expect(awaited == .awaited)
        }
        let ofOthers = RequestAuthorization.Arrival(after: wait(wasUnderWay: true))
        #expect(ofOthers == .ofOthersExchange)
    }

    @Test("Without one there is nothing to tell")
    func none() {
        let authorization = RequestAuthorization()
        #expect(authorization.ready == nil)
        #expect(authorization.arrival == nil)
        #expect(authorization.signatureMethod == nil)
        #expect(authorization.timestamp == nil)
    }

    @Test("The latest one counts, with the way in which it was come by")
    func obtains() throws {
        let (signing, bearing) = (try ReadyAuthorization.signing(), try ReadyAuthorization.bearing())
        var authorization = RequestAuthorization()
        authorization.obtain(signing, .awaited)
        let isSigning = authorization.ready === signing
        #expect(isSigning)
        #expect(authorization.arrival == .awaited)
        #expect(authorization.signatureMethod == .hmacSHA1)
        authorization.obtain(bearing, .ofOthersExchange)
        let isBearing = authorization.ready === bearing
        #expect(isBearing)
        #expect(authorization.arrival == .ofOthersExchange)
        #expect(authorization.signatureMethod == nil)
    }

    @Test("A request that has not been signed yet has no signature to explain")
    func unsigned() throws {
        let head = try requestHead("GET http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        let route = try route(head)
        var authorization = RequestAuthorization()
        for ready in [try ReadyAuthorization.signing(), try ReadyAuthorization.bearing()] {
            authorization.obtain(ready, .atHand)
            let baseString = authorization.baseString(head, on: route, body: nil)
            #expect(baseString == nil)
            let isExplained = authorization.explanation(head, on: route, body: nil) != nil
            #expect(!isExplained)
            #expect(authorization.timestamp == nil)
        }
    }

    @Test("A request is signed anew each time, with another nonce")
    func signs() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        let head = try requestHead("GET http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        let route = try route(head)
        var authorization = RequestAuthorization()
        authorization.obtain(try .signing(), .atHand)
        var (added, baseStrings): ([SignedRequest?], [String?]) = ([], [])
        for _ in 0..<2 {
            added.append(try authorization.authorize(head, on: route, body: nil, by: proxy.worker.exchanges.signatures))
            baseStrings.append(authorization.baseString(head, on: route, body: nil))
        }
        #expect(added[0]?.authorization != nil && added[1]?.authorization != nil && added[0] != added[1])
        #expect(baseStrings[0] != nil && baseStrings[1] != nil && baseStrings[0] != baseStrings[1])
        #expect(authorization.timestamp != nil)
    }

    @Test("A request that bears a token has the same field each time, and one without authorization none")
    func bears() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        let signatures = proxy.worker.exchanges.signatures
        let head = try requestHead("GET http://api.test/ HTTP/1.1\nHost: api.test\n\n")
        let route = try route(head)
        var authorization = RequestAuthorization()
        let none = try authorization.authorize(head, on: route, body: nil, by: signatures)
        authorization.obtain(try .bearing(), .atHand)
        let added = [
            try authorization.authorize(head, on: route, body: nil, by: signatures),
            try authorization.authorize(head, on: route, body: nil, by: signatures),
        ]
        let field = SignedRequest(authorization: Array("Bearer access-token".utf8))
        #expect(none == nil)
        #expect(added == [field, field])
        #expect(authorization.timestamp == nil)
    }
}
