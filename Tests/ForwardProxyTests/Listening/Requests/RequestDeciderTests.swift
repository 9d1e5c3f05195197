import HTTP1Codec
import NIOCore
import Routing
import Testing

@testable import ForwardProxy

@Suite("The decision upon a request")
struct RequestDeciderTests {
    @Test(
        "A request goes where its form and its host say",
        arguments: [
            ("GET http://api.test/", "api.test", "forward to api"),
            ("GET http://api.test/", "other.test", "forward to api"),
            ("GET https://second.test/", "second.test", "forward to second"),
            ("POST http://second.test/", "second.test", "refuse 403 to API 1"),
            ("GET http://other.test/", "other.test", "pass to other.test:80"),
            ("GET https://other.test/", "other.test", "refuse 403"),
            ("GET /", "api.test", "refuse 400"),
            ("OPTIONS *", "api.test", "refuse 400"),
            ("CONNECT api.test:443", "api.test:443", "intercept api.test:443"),
            ("CONNECT other.test:443", "other.test:443", "tunnel to other.test:443"),
            ("CONNECT other.test:25", "other.test:25", "refuse 403"),
        ] as [(String, String, String)]
    )
    func destinations(line: String, host: String, expected: String) throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        let decision = try connection.decide(line, host: host)
        #expect(decision.words == expected)
    }

    @Test(
        "A host of no API is refused where others are",
        arguments: [("GET http://other.test/", "other.test:80"), ("CONNECT other.test:443", "other.test:443")]
    )
    func otherHosts(line: String, host: String) throws {
        var setup = ProxySetup.unconnected
        setup.access = AccessPolicy(otherHosts: .refuse)
        var connection = DecidedConnection(to: try EmbeddedProxy(setup))
        let decision = try connection.decide(line, host: host)
        let authority = try Authority(parsing: host, defaultPort: nil)
        #expect(decision.problem == Problem(.hostOfNoAPI(authority)))
    }

    @Test(
        "A request is refused that names no host, or has what none may have",
        arguments: [
            ("GET /", "", .notAProxyRequest),
            ("OPTIONS *", "", .notAProxyRequest),
            ("TRACE http://api.test/", "", .traceRefused),
            ("Trace http://api.test/", "", .traceRefused),
            ("Connect http://api.test/", "", .otherConnectRefused),
            ("GET http://api.test/", "Paraph-Account: a\nParaph-Account: b\n", .repeatedField(.paraphAccount)),
            ("CONNECT api.test:443", loginField("a") + loginField("b"), .repeatedField(.proxyAuthorization)),
        ] as [(String, String, Problem)]
    )
    func objections(line: String, fields: String, problem: Problem) throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        let decision = try connection.decide(line, host: "api.test", fields)
        #expect(decision.problem == problem)
    }

    @Test("Authorization may come twice to the proxy itself, where it is the API's alone")
    func repeatedAuthorization() throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        let decision = try connection.get("Authorization: a\nAuthorization: b\n")
        #expect(decision.words == "forward to api")
    }

    // MARK: CONNECT

    @Test(
        "CONNECT is refused where Host names something else; the port may be left out",
        arguments: [
            ("api.test:443", "api.test:443", true), ("api.test:443", "api.test", true),
            ("api.test:443", "API.TEST", true),
            ("api.test:443", "api.test:80", false), ("api.test:443", "second.test:443", false),
            ("other.test:443", "other.test", true), ("other.test:443", "api.test", false),
            ("other.test:443", "other.test:8443", false),
        ] as [(String, String, Bool)]
    )
    func connectHost(target: String, host: String, isSame: Bool) throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        let decision = try connection.decide("CONNECT \(target)", host: host)
        let expected: Problem? = isSame ? nil : .hostDiffersFromConnect
        #expect(decision.problem == expected)
    }

    @Test("CONNECT that is refused anyway is told why, whatever Host names")
    func refusedConnect() throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        let decision = try connection.decide("CONNECT other.test:25", host: "api.test")
        let target = try Authority(parsing: "other.test:25", defaultPort: nil)
        #expect(decision.problem == Problem(.portNotAllowed(target)))
    }

    // MARK: The connection

    @Test(
        "A connection that is one too many is refused, whatever the request",
        arguments: ["GET http://api.test/", "TRACE /", "CONNECT other.test:443"],
        [Shortage.places, .share]
    )
    func overLimit(line: String, shortage: Shortage) throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected), overLimit: shortage)
        let decision = try connection.decide(line, host: "api.test")
        #expect(decision.words == "refuse connection: \(shortage)")
    }

    @Test("A request takes the connections upstream of the present configuration")
    func connections() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        var connection = DecidedConnection(to: proxy)
        for _ in 0..<2 {
            for _ in 0..<2 {
                guard case .forward(let request) = try connection.get() else {
                    Issue.record("A request for an API was not forwarded")
                    return
                }
                let isOfPool = request.connections === proxy.worker.pool.connections(to: request.route.target)
                #expect(isOfPool)
            }
            try proxy.reload(.unconnected)
        }
    }

    @Test("A request goes to its own destination, whatever the one before it was for")
    func nextDestinations() throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        let hosts = ["api.test", "api.test", "second.test", "other.test", "api.test", "other.test"]
        let decisions = try hosts.map { host in
            try connection.decide("GET http://\(host)/", host: host).words
        }
        let (api, other) = ("forward to api", "pass to other.test:80")
        #expect(decisions == [api, api, "forward to second", other, api, other])
    }

    @Test("A request is decided upon by the configuration of the moment")
    func reloads() throws {
        let proxy = try EmbeddedProxy(.unconnected)
        var connection = DecidedConnection(to: proxy)
        let before = try connection.get()
        var setup = ProxySetup.unconnected
        setup.apis.removeFirst()
        try proxy.reload(setup)
        let isServed = connection.decider.configurationChanged(to: proxy.worker)
        #expect(isServed)
        let after = try connection.get()
        #expect(before.words == "forward to api")
        #expect(after.words == "pass to api.test:80")
    }
}
