import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Testing

@testable import ForwardProxy

@Suite("The decision upon a request that came through CONNECT")
struct RequestDeciderInterceptionTests {
    private static let authority = "api.test:443"

    private func connection(of client: String? = nil, at proxy: EmbeddedProxy) throws -> DecidedConnection {
        try DecidedConnection(intercepted: Self.authority, of: client, at: proxy)
    }

    @Test("A request goes to the host that CONNECT named, and is refused for another one")
    func hosts() throws {
        var connection = try connection(at: try EmbeddedProxy(.unconnected))
        for line in ["GET /", "OPTIONS *", "GET https://api.test/"] {
            let decision = try connection.decide(line, host: "api.test")
            #expect(decision.words == "forward to api")
        }
        let authority = try Authority(parsing: Self.authority, defaultPort: nil)
        let misdirected = try connection.decide("GET /", host: "second.test")
        #expect(misdirected.problem == Problem(.misdirected(connect: authority)))
    }

    @Test("A request that would open another tunnel is refused")
    func connect() throws {
        var connection = try connection(at: try EmbeddedProxy(.unconnected))
        let decision = try connection.decide("CONNECT other.test:443", host: "other.test:443")
        #expect(decision.problem == .connectInsideTLS)
    }

    @Test("A request is refused that has what none may have")
    func objections() throws {
        var connection = try connection(at: try EmbeddedProxy(.unconnected))
        let decision = try connection.decide("TRACE /", host: "api.test")
        #expect(decision.problem == .traceRefused)
    }

    // MARK: HTTP/2

    @Test(
        "A request of HTTP/2 is decided upon as one of HTTP/1.1 is",
        arguments: [
            ("api.test:443", "GET", "api.test", "forward to api of one"),
            ("api.test:443", "GET", "second.test", "refuse 421"),
            ("api.test:443", "TRACE", "api.test", "refuse 501"),
            ("second.test:443", "POST", "second.test", "refuse 403 to API 1"),
        ] as [(String, String, String, String)]
    )
    func versions(authority: String, method: String, host: String, expected: String) throws {
        let proxy = try EmbeddedProxy(.listed)
        var connection = try DecidedConnection(intercepted: authority, of: "one", at: proxy)
        for decision in [
            try connection.decide("\(method) /", host: host), try connection.decideHTTP2(method, host: host),
        ] {
            #expect(decision.words == expected)
        }
    }

    @Test("A request of HTTP/2 is refused where its scheme is not TLS's")
    func schemes() throws {
        var connection = try connection(at: try EmbeddedProxy(.unconnected))
        let decision = try connection.decideHTTP2(scheme: .http, host: "api.test")
        #expect(decision.problem == .schemeDiffersFromConnection)
    }

    // MARK: Clients

    @Test("A request is the client's that sent CONNECT")
    func clients() throws {
        let proxy = try EmbeddedProxy(.listed)
        var connection = try connection(of: "one", at: proxy)
        #expect(connection.decider.clientName == "one")
        let decision = try connection.decide("GET /", host: "api.test", loginField("two"))
        #expect(decision.words == "forward to api of one")
        #expect(connection.decider.clientName == "one")
    }

    @Test("A request takes the connections upstream of the present configuration, where that still has the API")
    func reloads() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        var connection = try connection(at: proxy)
        for _ in 0..<2 {
            let isServed = connection.decider.configurationChanged(to: proxy.worker)
            #expect(isServed)
            let decision = try connection.decide("GET /", host: "api.test")
            guard case .forward(let request) = decision else {
                Issue.record("A request for an API was not forwarded")
                return
            }
            let isOfPool = request.connections === proxy.worker.pool.connections(to: request.route.target)
            #expect(isOfPool)
            try proxy.reload(.unconnected)
        }
    }

    @Test("A request is told that the configuration has changed where the host is no API's any more")
    func configurationChanged() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        var connection = try connection(at: proxy)
        var setup = ProxySetup.unconnected
        setup.apis.removeFirst()
        try proxy.reload(setup)
        let isServed = connection.decider.configurationChanged(to: proxy.worker)
        #expect(!isServed)
        for decision in [
            try connection.decide("GET /", host: "api.test"), try connection.decideHTTP2(host: "api.test"),
            try connection.decideHTTP2("TRACE", scheme: .http, host: "api.test"),
        ] {
            #expect(decision.problem == .configurationChanged)
        }
    }

    @Test("A request is told that the configuration has changed where its client is none any more")
    func clientGone() throws {
        let proxy = try EmbeddedProxy(.listed)
        var connection = try connection(of: "one", at: proxy)
        var setup = ProxySetup.unconnected
        setup.access = AccessPolicy(clients: [Client(name: "one") { _ in false }])
        try proxy.reload(setup)
        let decision = try connection.decide("GET /", host: "api.test")
        #expect(decision.problem == .configurationChanged)
    }

    @Test("A request is described by what CONNECT said")
    func describes() throws {
        let proxy = try EmbeddedProxy(.listed)
        let connection = try connection(of: "one", at: proxy)
        var request = EarlyRequest(nil, at: proxy.clock.now, from: nil)
        connection.decider.describe(&request, by: proxy.worker)
        #expect(request.api == 0)
        #expect(request.client == "one")
        #expect(request.scheme == .https)
        #expect(request.authority.map { "\($0)" } == Self.authority)
        var setup = ProxySetup.unconnected
        setup.apis.removeAll()
        try proxy.reload(setup)
        request = EarlyRequest(try requestHead("GET / HTTP/1.1\nHost: api.test\n\n"), at: proxy.clock.now, from: nil)
        connection.decider.describe(&request, by: proxy.worker)
        #expect(request.api == nil)
        #expect(request.authority == nil)
    }
}
