import HTTP1Codec
import NIOCore
import Routing
import Settings
import Testing

@testable import ForwardProxy

@Suite("The admission of a request")
struct RequestDeciderAdmissionTests {
    /// The number of requests that there may be, in these tests.
    private static let limit = 1

    // MARK: Credentials of the client's own

    @Test(
        "Credentials of the client's own are refused where the API has that, however the request came",
        arguments: APISettings.ExistingAuthorization.allCases,
        ["", "Authorization: Bearer x\n"]
    )
    func ownCredentials(treatment: APISettings.ExistingAuthorization, fields: String) throws {
        var setup = ProxySetup.listed
        setup.apis[0].existingAuthorization = treatment
        let proxy = try EmbeddedProxy(setup)
        var (direct, through) = (
            DecidedConnection(to: proxy), try DecidedConnection(intercepted: "api.test:443", of: "one", at: proxy)
        )
        let decisions = [
            try direct.get(loginField("one") + fields), try through.decide("GET /", host: "api.test", fields),
        ]
        let isRefused = treatment == .refuse && !fields.isEmpty
        for decision in decisions {
            #expect(decision.words == (isRefused ? "refuse 403 to API 0 of one" : "forward to api of one"))
            let problem: Problem? = isRefused ? .authorizationRefused(api: "api", field: "Authorization") : nil
            #expect(decision.problem == problem)
        }
    }

    @Test("An API's objection to them is none of another one's, nor for a host of none")
    func othersCredentials() throws {
        var setup = ProxySetup.unconnected
        setup.apis[0].existingAuthorization = .refuse
        var connection = DecidedConnection(to: try EmbeddedProxy(setup))
        for (host, expected) in [("second.test", "forward to second"), ("other.test", "pass to other.test:80")] {
            let decision = try connection.decide("GET http://\(host)/", host: host, "Authorization: Bearer x\n")
            #expect(decision.words == expected)
        }
    }

    // MARK: Requests in flight

    /// - Returns: The admission; nil where the request was not forwarded, or is not counted.
    private func counted(_ decision: RequestDecider.Decision) -> RequestAdmission? {
        if case .forward(let request) = decision { request.admission } else { nil }
    }

    @Test("Requests are not counted where there is no limit")
    func uncounted() throws {
        var connection = DecidedConnection(to: try EmbeddedProxy(.unconnected))
        for _ in 0..<2 {
            let decision = try connection.get()
            #expect(decision.words == "forward to api")
            let isCounted = counted(decision) != nil
            #expect(!isCounted)
        }
    }

    @Test("One too many of a client's is refused, until another one is over", arguments: [nil, "one"])
    func clientLimit(client: String?) throws {
        var setup = client == nil ? ProxySetup.unconnected : .listed
        setup.limits.requestsPerClient = Self.limit
        let proxy = try EmbeddedProxy(setup)
        let fields = client.map { loginField($0) } ?? ""
        var direct = DecidedConnection(to: proxy)
        var through = try DecidedConnection(intercepted: "api.test:443", of: client, at: proxy)
        let first = try direct.get(fields)
        let admission = try #require(counted(first))
        for refused in [
            try direct.get(fields), try direct.decide("GET http://second.test/", host: "second.test", fields),
            try direct.decide("GET http://other.test/", host: "other.test", fields),
            try through.decide("GET /", host: "api.test"),
        ] {
            #expect(refused.problem == .tooManyRequests(ofClient: client, limit: Self.limit))
        }
        let refused = try through.decide("GET /", host: "api.test")
        #expect(refused.words == "refuse 503 to API 0\(client.map { " of \($0)" } ?? "")")
        admission.end()
        let next = try through.decide("GET /", host: "api.test")
        #expect(next.route != nil)
    }

    @Test("Requests of one client are not counted for another one")
    func clientsApart() throws {
        var setup = ProxySetup.listed
        setup.limits.requestsPerClient = Self.limit
        var connection = DecidedConnection(to: try EmbeddedProxy(setup))
        for client in ["one", "two"] {
            let decision = try connection.decide("GET http://second.test/", host: "second.test", loginField(client))
            #expect(decision.words == "forward to second of \(client)")
        }
    }

    @Test("One too many to an API is refused, and not counted for its client; other APIs have limits of their own")
    func apiLimit() throws {
        var setup = ProxySetup.unconnected
        setup.limits.requestsPerClient = 3
        setup.apis[0].requests = Self.limit
        let proxy = try EmbeddedProxy(setup)
        var connection = DecidedConnection(to: proxy)
        let first = try connection.get()
        let admission = try #require(counted(first))
        for _ in 0..<5 {
            let refused = try connection.get()
            #expect(refused.problem == .tooManyRequests(toAPI: "api", limit: Self.limit))
            #expect(refused.words == "refuse 503 to API 0")
        }
        for host in ["second.test", "other.test"] {
            let other = try connection.decide("GET http://\(host)/", host: host)
            #expect(other.route != nil)
        }
        let isFull = proxy.usage(of: nil).requests.isAt(3)
        #expect(isFull)
        admission.end()
        admission.end()
        let next = try connection.get()
        #expect(next.words == "forward to api")
        let isFullAgain = proxy.usage(of: nil).requests.isAt(3)
        #expect(isFullAgain)
    }

    @Test("What is in flight to an API stays counted when the configuration is another one")
    func reloads() throws {
        var setup = ProxySetup.unconnected
        setup.apis[0].requests = Self.limit
        let proxy = try EmbeddedProxy(setup)
        var connection = DecidedConnection(to: proxy)
        let first = try connection.get()
        let admission = try #require(counted(first))
        try proxy.reload(setup)
        let refused = try connection.get()
        #expect(refused.problem == .tooManyRequests(toAPI: "api", limit: Self.limit))
        admission.end()
        let next = try connection.get()
        #expect(next.route != nil)
    }
}
