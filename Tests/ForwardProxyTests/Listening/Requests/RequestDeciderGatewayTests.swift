import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings
import Testing

@testable import ForwardProxy

@Suite("The decision upon a request that came to a gateway")
struct RequestDeciderGatewayTests {
    private struct NoGateway: Error {}

    private static let port = 8080

    private static func with(gateway setup: ProxySetup) -> ProxySetup {
        var setup = setup
        setup.apis[0].gateway = GatewaySettings()
        return setup
    }

    private func connection(to proxy: EmbeddedProxy, hasAddress: Bool = true) throws -> DecidedConnection {
        let listener = proxy.worker.settings.listeners.first { $0.purpose.api == "api" }
        guard let listener else { throw NoGateway() }
        let address = try hasAddress ? SocketAddress(ipAddress: "127.0.0.1", port: Self.port) : nil
        return DecidedConnection(to: proxy, gateway: GatewayConnection(listener: listener.key, address: address))
    }

    @Test(
        "A request that names the gateway goes to its API",
        arguments: [
            ("GET /", "localhost:8080", "forward to api"),
            ("GET /", "127.0.0.1", "forward to api"),
            ("OPTIONS *", "localhost", "forward to api"),
            ("GET http://localhost:8080/", "localhost:8080", "forward to api"),
            ("GET http://localhost:8081/", "localhost:8081", "refuse 421"),
            ("GET http://api.test/", "api.test", "refuse 421"),
            ("GET /", "api.test", "refuse 421"),
        ] as [(String, String, String)]
    )
    func hosts(line: String, host: String, expected: String) throws {
        var connection = try connection(to: try EmbeddedProxy(Self.with(gateway: .unconnected)))
        let decision = try connection.decide(line, host: host)
        #expect(decision.words == expected)
        let isAtGateway = decision.route?.gateway != nil
        #expect(isAtGateway == (expected == "forward to api"))
    }

    @Test(
        "The log-in of a request that is not for the gateway, or of another site's page, is not looked at",
        arguments: [
            ("GET /", "evil.test:8080", ""),
            ("GET http://api.test/", "api.test", ""),
            ("GET /", "localhost:8080", "Origin: http://evil.test\n"),
            ("GET /", "localhost:8080", "Sec-Fetch-Site: cross-site\n"),
            ("GET /", "localhost:8080", "Authorization: Basic b25lOm9wZW4=\n"),
            ("CONNECT api.test:443", "api.test:443", ""),
        ] as [(String, String, String)],
        ["b25lOndyb25n", "b25lOm9wZW4="]
    )
    func foreignLogins(request: (line: String, host: String, fields: String), credentials: String) throws {
        let proxy = try EmbeddedProxy(Self.with(gateway: .listed))
        var connection = try connection(to: proxy)
        let fields = "Authorization: Basic \(credentials)\n\(request.fields)"
        let decision = try connection.decide(request.line, host: request.host, fields)
        #expect(decision.problem.map { $0.status != 401 } == true)
        #expect(connection.decider.identity.name == nil)
        #expect(proxy.common.logins.counts.failed == 0)
    }

    @Test(
        "A response names the gateway as the client did, or else by its address",
        arguments: [
            ("HTTP/1.1\nHost: localhost:8080", true, "http://localhost:8080/path"),
            ("HTTP/1.0", true, "http://127.0.0.1:8080/path"),
            ("HTTP/1.0", false, "http://localhost/path"),
        ] as [(String, Bool, String)]
    )
    func names(rest: String, hasAddress: Bool, location: String) throws {
        let proxy = try EmbeddedProxy(Self.with(gateway: .unconnected))
        var connection = try connection(to: proxy, hasAddress: hasAddress)
        let head = try requestHead("GET / \(rest)\n\n")
        let decision = connection.decider.decide(
            head,
            loginHasWaited: false,
            usage: { proxy.usage(of: $0) },
            by: proxy.worker
        )
        let gateway = try #require(decision.route?.gateway)
        let response = gateway.map(try responseHead("HTTP/1.1 302 Found\nLocation: http://api.test/path\n\n"))
        let mapped = response.fields.value(of: .location).map { String(buffer: $0) }
        #expect(mapped == location)
    }

    @Test(
        "CONNECT is refused, and two fields that may both say who the client is",
        arguments: [
            ("CONNECT api.test:443", "", .connectAtGateway),
            ("TRACE /", "", .traceRefused),
            ("GET /", "Authorization: a\nAuthorization: b\n", .repeatedField(.authorization)),
        ] as [(String, String, Problem)]
    )
    func objections(line: String, fields: String, problem: Problem) throws {
        var connection = try connection(to: try EmbeddedProxy(Self.with(gateway: .unconnected)))
        let decision = try connection.decide(line, host: "localhost", fields)
        #expect(decision.problem == problem)
    }

    @Test(
        "A client gives its name and password as to a server, or as to a proxy",
        arguments: [
            ("", "refuse 401"),
            (loginField("one", "wrong"), "refuse 401"),
            (loginField("one"), "forward to api of one"),
            (loginField("one").replacing("Proxy-", with: ""), "forward to api of one"),
            (loginField("two"), "refuse 403 to API 0"),
        ] as [(String, String)]
    )
    func clients(fields: String, expected: String) throws {
        var connection = try connection(to: try EmbeddedProxy(Self.with(gateway: .listed)))
        let decision = try connection.decide("GET /", host: "localhost", fields)
        #expect(decision.words == expected)
    }

    @Test("A wrong password is counted wherever it is given, that for a proxy before that for a server")
    func loginFailed() throws {
        let proxy = try EmbeddedProxy(Self.with(gateway: .listed))
        var connection = try connection(to: proxy)
        let (one, two) = (loginField("one", "wrong"), loginField("two", "wrong").replacing("Proxy-", with: ""))
        for fields in [one, two, one + two] {
            let decision = try connection.decide("GET /", host: "localhost", fields)
            #expect(decision.words == "refuse 401")
        }
        proxy.common.logins.report()
        #expect(proxy.common.logins.counts.failed == 3)
        // The first failure is told at once, and the other two here.
        #expect(proxy.log.text.contains(#""one" (1), "two" (1)"#))
    }

    @Test("A request is decided upon by the configuration of the moment, and is told when that has no gateway")
    func reloads() throws {
        let proxy = try EmbeddedProxy(Self.with(gateway: .unconnected))
        var connection = try connection(to: proxy)
        try proxy.reload(Self.with(gateway: .listed))
        let isServed = connection.decider.configurationChanged(to: proxy.worker)
        #expect(isServed)
        let unknown = try connection.decide("GET /", host: "localhost")
        #expect(unknown.words == "refuse 401")
        try proxy.reload(.unconnected)
        let isServedYet = connection.decider.configurationChanged(to: proxy.worker)
        #expect(!isServedYet)
        let gone = try connection.decide("GET /", host: "localhost")
        #expect(gone.problem == .gatewayGone)
    }

    @Test("A request is described by the gateway's API, as long as there is one")
    func describes() throws {
        let proxy = try EmbeddedProxy(Self.with(gateway: .unconnected))
        let connection = try connection(to: proxy)
        for api in [0, nil] {
            var request = EarlyRequest(nil, at: proxy.clock.now, from: nil)
            connection.decider.describe(&request, by: proxy.worker)
            #expect(request.api == api)
            #expect(request.scheme == .http)
            try proxy.reload(.unconnected)
        }
    }
}
