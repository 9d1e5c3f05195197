import Bytes
import Testing

@testable import Routing

@Suite("A gateway")
struct GatewayDecisionTests {
    static func gateway(
        _ hosts: [String] = ["api.example.com"],
        address: String = "127.0.0.1",
        names: [String] = [],
        upstreamScheme: URIScheme = .https,
        paths: [String]? = nil,
        methods: [String]? = nil
    ) throws -> Gateway {
        let route = APIRoute(
            index: 0,
            name: "t",
            hosts: try hosts.map(HostPattern.init),
            accounts: ["default", "alice"],
            upstreamScheme: upstreamScheme,
            paths: paths,
            methods: methods
        )
        return try #require(Gateway(route: route, address: address, hosts: names))
    }

    static func decide(
        _ gateway: Gateway,
        clients: [Client] = [],
        method: String = "GET",
        _ target: String = "/a?b",
        _ fields: GatewayFields = GatewayFields()
    ) throws -> Result<RequestRoute, Refusal> {
        let router = Router(apis: APITable([gateway.route]), access: AccessPolicy(clients: clients))
        return try router.decide(at: gateway, method: method, target, fields)
    }

    // MARK: Where requests go

    @Test(
        "sends requests to the first host, on the port that stands for it",
        arguments: [
            (["api.example.com", "b.example.com"], URIScheme.https, forwarded),
            (["api.example.com:8443"], .https, "forward t/default to api.example.com:8443"),
            (["api.example.com"], .http, "forward t/default to api.example.com:80"),
            (["api.example.com:443"], .http, "forward t/default to api.example.com:443"),
            (["[::1]:9000", "*.example.com"], .https, "forward t/default to [::1]:9000"),
        ]
    )
    func upstream(_ hosts: [String], _ scheme: URIScheme, _ expected: String) throws {
        #expect(try Self.decide(try Self.gateway(hosts, upstreamScheme: scheme)).words == expected)
    }

    @Test("is not to be had for a host that stands for many")
    func wildcard() throws {
        let route = APIRoute(index: 0, name: "t", hosts: [try HostPattern("*.example.com")], accounts: [])
        #expect(Gateway(route: route, address: "127.0.0.1") == nil)
        #expect(Gateway(route: APIRoute(index: 0, name: "t", hosts: [], accounts: []), address: "::1") == nil)
    }

    static let forwarded = "forward t/default to api.example.com:443"

    @Test(
        "takes a path, or a URL of its own, and is no proxy",
        arguments: [
            ("/a?b", "127.0.0.1:9001", forwarded, "/a?b"),
            ("/a", nil, forwarded, "/a"),
            ("http://127.0.0.1:9001/a", "127.0.0.1:9001", forwarded, "/a"),
            ("HTTP://LOCALHOST:9001?q", "localhost:9001", forwarded, "/?q"),
            ("http://localhost:9001", nil, forwarded, "/"),
            ("http://127.0.0.1:9001/a", "localhost:9001", "refuse host_differs_from_target", nil),
            ("http://127.0.0.1:9002/a", "127.0.0.1:9002", "refuse gateway_is_no_proxy", nil),
            ("http://127.0.0.1/a", "127.0.0.1", "refuse gateway_is_no_proxy", nil),
            ("https://127.0.0.1:9001/a", "127.0.0.1:9001", "refuse gateway_is_no_proxy", nil),
            ("http://api.example.com/a", "api.example.com", "refuse gateway_is_no_proxy", nil),
            ("http://api.example.com:9001/a", "api.example.com:9001", "refuse gateway_is_no_proxy", nil),
        ] as [(String, String?, String, String?)]
    )
    func targets(_ target: String, _ host: String?, _ expected: String, _ sent: String?) throws {
        let decision = try Self.decide(try Self.gateway(), target, GatewayFields(host: host))
        #expect(decision.words == expected)
        #expect(decision.target == sent)
    }

    @Test("takes an asterisk-form")
    func asteriskForm() throws {
        let decision = try Self.decide(try Self.gateway(), method: "OPTIONS", "*")
        #expect(decision.words == Self.forwarded && decision.target == "*")
    }

    @Test("takes only its own URLs where it takes every name: one of another host is meant for a proxy")
    func absoluteElsewhere() throws {
        let gateway = try Self.gateway(address: "0.0.0.0")
        let fields = GatewayFields(host: "www.example.org:9001")
        #expect(try Self.decide(gateway, "/", fields).words == Self.forwarded)
        #expect(try Self.decide(gateway, "http://www.example.org:9001/", fields).words == "refuse gateway_is_no_proxy")
    }

    // MARK: Pages

    @Test(
        "on loopback has names that nobody else can have, and those that are configured",
        arguments: [
            ("127.0.0.1:9001", true), ("127.0.0.1", true), ("127.9.9.9:1", true), ("localhost:9001", true),
            ("LocalHost", true), ("[::1]:9001", true), ("[::ffff:127.0.0.1]:9001", true), ("gw.internal", true),
            ("GW.internal:8080", true), ("evil.example:9001", false), ("localhost.evil.example", false),
            ("x.gw.internal", false), ("127.0.0.1.evil.example", false), ("api.example.com", false),
            ("10.0.0.1:9001", false), ("[::]:9001", false),
        ]
    )
    func names(_ host: String, _ isServed: Bool) throws {
        let words = try Self.decide(try Self.gateway(names: ["gw.internal"]), GatewayFields(host: host)).words
        #expect(words == (isServed ? Self.forwarded : "refuse host_of_no_gateway"))
    }

    @Test(
        "elsewhere takes any name, unless some are configured",
        arguments: [
            ("10.0.0.5", [], "any.example:9001", true), ("0.0.0.0", [], "any.example", true),
            ("proxy.example", ["gw.internal"], "any.example", false),
            ("proxy.example", ["gw.internal"], "gw.internal", true),
            ("proxy.example", ["gw.internal"], "proxy.example:9001", true),
            ("proxy.example", ["gw.internal"], "127.0.0.1:9001", true),
        ] as [(String, [String], String, Bool)]
    )
    func namesElsewhere(_ address: String, _ names: [String], _ host: String, _ isServed: Bool) throws {
        let words = try Self.decide(try Self.gateway(address: address, names: names), GatewayFields(host: host)).words
        #expect(words == (isServed ? Self.forwarded : "refuse host_of_no_gateway"))
    }

    @Test(
        "refuses a Host field that names nobody",
        arguments: ["", "a b", "u@127.0.0.1", "127.0.0.1:x", "localhost.", "::1", "127.0.0.1:0", "2130706433"]
    )
    func malformedHosts(_ host: String) throws {
        #expect(try Self.decide(try Self.gateway(), GatewayFields(host: host)).words == "refuse malformed_authority")
    }

    @Test(
        "serves no page but its own",
        arguments: [
            ("http://127.0.0.1:9001", nil, true), ("HTTP://127.0.0.1:9001", nil, true),
            ("https://127.0.0.1:9001", nil, true), (nil, "same-origin", true), (nil, "none", true),
            ("http://127.0.0.1:9001", "same-origin", true),
            ("http://127.0.0.1:3000", nil, false), ("http://localhost:9001", nil, false), ("null", nil, false),
            ("https://evil.example", nil, false), ("http://127.0.0.1:9001.evil.example", nil, false), ("", nil, false),
            (nil, "cross-site", false), (nil, "same-site", false), (nil, "", false),
            ("http://127.0.0.1:9001", "cross-site", false), ("https://evil.example", "same-origin", false),
        ] as [(String?, String?, Bool)]
    )
    func pages(_ origin: String?, _ fetchSite: String?, _ isServed: Bool) throws {
        let fields = GatewayFields(origin: origin, fetchSite: fetchSite)
        #expect(
            try Self.decide(try Self.gateway(), fields).words == (isServed ? Self.forwarded : "refuse foreign_page")
        )
    }

    // MARK: Clients and accounts

    @Test(
        "without clients leaves Authorization alone, and takes an account from Proxy-Authorization",
        arguments: [
            (nil, nil, nil, "forward t/default to api.example.com:443"),
            (nil, RouterFixture.basic("alice:x"), nil, "forward t/default to api.example.com:443"),
            (RouterFixture.basic("alice:x"), nil, nil, "forward t/alice to api.example.com:443"),
            (RouterFixture.basic("alice:x"), nil, "default", "forward t/default to api.example.com:443"),
            (RouterFixture.basic("nobody:x"), nil, nil, "refuse unknown_account"),
            ("Basic !", nil, nil, "refuse malformed_proxy_authorization"),
            (nil, nil, "nobody", "refuse unknown_account"),
        ] as [(String?, String?, String?, String)]
    )
    func accounts(
        _ proxyAuthorization: String?,
        _ authorization: String?,
        _ account: String?,
        _ expected: String
    ) throws {
        let fields = GatewayFields(
            proxyAuthorization: proxyAuthorization,
            authorization: authorization,
            account: account
        )
        let decision = try Self.decide(try Self.gateway(), fields)
        #expect(decision.words == expected)
        if let route = decision.route { #expect(route.gateway?.consumesAuthorization == false) }
    }

    static let right = RouterFixture.basic("billing:right")
    static let unauthenticated = "refuse gateway_client_not_authenticated"

    @Test(
        "with clients takes their credentials from Proxy-Authorization, else from Authorization, which is used up then",
        arguments: [
            (right, nil, nil, "forward t/default to api.example.com:443", false),
            (nil, right, nil, "forward t/default to api.example.com:443", true),
            (right, "Bearer x", nil, "forward t/default to api.example.com:443", false),
            (right, RouterFixture.basic("billing:wrong"), nil, "forward t/default to api.example.com:443", false),
            (nil, RouterFixture.basic("billing+alice:right"), nil, "forward t/alice to api.example.com:443", true),
            (nil, RouterFixture.basic("billing+:right"), nil, "forward t/default to api.example.com:443", true),
            (nil, RouterFixture.basic("billing+nobody:right"), nil, "refuse unknown_account", nil),
            (nil, right, "alice", "forward t/alice to api.example.com:443", true),
            (nil, nil, nil, unauthenticated, nil),
            (nil, RouterFixture.basic("billing:wrong"), nil, unauthenticated, nil),
            (nil, RouterFixture.basic("other:right"), nil, unauthenticated, nil),
            (nil, "Bearer x", nil, unauthenticated, nil),
            (nil, "Basic !", nil, unauthenticated, nil), (nil, "", nil, unauthenticated, nil),
            (RouterFixture.basic("billing:wrong"), right, nil, unauthenticated, nil),
            ("Bearer x", right, nil, unauthenticated, nil),
        ] as [(String?, String?, String?, String, Bool?)]
    )
    func clients(
        _ proxyAuthorization: String?,
        _ authorization: String?,
        _ account: String?,
        _ expected: String,
        _ consumes: Bool?
    ) throws {
        let fields = GatewayFields(
            proxyAuthorization: proxyAuthorization,
            authorization: authorization,
            account: account
        )
        let client = RouterFixture.client("billing", password: "right")
        let decision = try Self.decide(try Self.gateway(), clients: [client], fields)
        #expect(decision.words == expected)
        var found: Bool?
        if let route = decision.route {
            found = route.gateway?.consumesAuthorization
            #expect(route.client?.name == "billing")
        }
        #expect(found == consumes)
    }

    @Test(
        "confines clients to their APIs and accounts",
        arguments: [
            (["t"], nil, "forward t/default to api.example.com:443"), (["other"], nil, "refuse api_not_allowed"),
            (nil, ["alice"], "refuse account_not_allowed"),
            (nil, ["default"], "forward t/default to api.example.com:443"),
        ] as [(Set<String>?, Set<String>?, String)]
    )
    func confinedClients(_ apis: Set<String>?, _ accounts: Set<String>?, _ expected: String) throws {
        let client = RouterFixture.client("billing", password: "right", apis: apis, accounts: accounts)
        let fields = GatewayFields(authorization: Self.right)
        #expect(try Self.decide(try Self.gateway(), clients: [client], fields).words == expected)
    }

    @Test(
        "confines requests to the API's paths and methods",
        arguments: [
            ("GET", "/1.1/a", forwarded), ("POST", "/1.1/a", "refuse method_not_allowed"),
            ("GET", "/2/a", "refuse path_not_allowed"), ("GET", "/1.1/../2/a", "refuse ambiguous_path"),
            ("GET", "http://localhost:9001/1.1/a", forwarded),
            ("GET", "http://localhost:9001/2/a", "refuse path_not_allowed"),
        ]
    )
    func confined(_ method: String, _ target: String, _ expected: String) throws {
        let gateway = try Self.gateway(paths: ["/1.1/"], methods: ["GET"])
        let fields = GatewayFields(host: "localhost:9001")
        #expect(try Self.decide(gateway, method: method, target, fields).words == expected)
    }

    @Test(
        "on loopback takes no other name, where none is configured either",
        arguments: [
            ("127.0.0.1", "localhost:9001", true), ("127.0.0.1", "evil.example:9001", false),
            ("::1", "evil.example", false), ("127.0.0.1", "api.example.com", false),
            ("localhost", "evil.example", false),
        ]
    )
    func namesOnLoopback(_ address: String, _ host: String, _ isServed: Bool) throws {
        let words = try Self.decide(try Self.gateway(address: address), GatewayFields(host: host)).words
        #expect(words == (isServed ? Self.forwarded : "refuse host_of_no_gateway"))
    }
}
