import HTTP1Codec
import Testing

@testable import Routing

@Suite("Request")
struct RouterRequestTests {
    @Test("of an account is not for one whose name merely looks alike")
    func lookalikes() {
        let route = APIRoute(index: 0, name: "a", hosts: [], accounts: ["jos\u{E9}", "K"], acceptsEnrolled: true)
        #expect(route.account(named: "jos\u{E9}")?.index == 0)
        #expect(route.account(named: "jose\u{301}")?.index == nil)
        #expect(route.account(named: "\u{212A}")?.index == nil)
        let client = RouterFixture.client("c", password: "p", accounts: ["K"])
        #expect(client.mayUse(Account(index: 1, name: "K")))
        #expect(!client.mayUse(Account(index: nil, name: "\u{212A}")))
    }

    @Test(
        "in an interception must be for the host of its CONNECT",
        arguments: [
            ("api.example.com:443", "api.example.com", "forward t/default to api.example.com:443"),
            ("api.example.com:443", "API.example.COM", "forward t/default to api.example.com:443"),
            ("api.example.com:443", "api.example.com:443", "forward t/default to api.example.com:443"),
            ("api.example.com:443", "api.example.com:8443", "refuse misdirected"),
            ("api.example.com:443", "other.example.com", "refuse misdirected"),
            ("api.example.com:443", "api.example.co", "refuse misdirected"),
            ("api.example.com:443", "api.example.comm", "refuse misdirected"),
            ("api.example.com:443", "confined.example.com", "refuse misdirected"),
            ("api.example.com:443", "api.example.com.", "refuse malformed_authority"),
            ("api.example.com:443", "", "refuse malformed_authority"),
            ("api.example.com:443", "a@api.example.com", "refuse malformed_authority"),
            ("x.wild.example.com:8443", "x.wild.example.com:8443", "forward t/default to x.wild.example.com:8443"),
            ("x.wild.example.com:8443", "x.wild.example.com", "refuse misdirected"),
            ("x.wild.example.com:8443", "y.wild.example.com:8443", "refuse misdirected"),
            ("[::1]:9000", "[0:0::1]:9000", "forward t/default to [::1]:9000"),
            ("clear.example.com:443", "clear.example.com", "forward clear/default to clear.example.com:80"),
        ]
    )
    func host(_ connect: String, _ host: String, _ expected: String) throws {
        let router = try RouterFixture.router()
        let interception = try #require(router.connect(connect).interception)
        #expect(try router.inside(interception, host: host).words == expected)
    }

    @Test(
        "that names no account is for the one that is assumed, and refused where there is none of that name",
        arguments: [
            ("api.example.com", nil, "forward t/alice to api.example.com:443"),
            ("api.example.com", "default", "forward t/default to api.example.com:443"),
            ("api.example.com", "nobody", "refuse unknown_account"),
            ("clear.example.com", nil, "refuse unknown_account"),
            ("clear.example.com", "default", "forward clear/default to clear.example.com:80"),
        ]
    )
    func assumedAccount(_ host: String, _ account: String?, _ expected: String) throws {
        let usual = try RouterFixture.router()
        let router = Router(apis: usual.apis, access: usual.access, assumedAccount: "alice")
        let interception = try #require(router.connect("\(host):443").interception)
        #expect(try router.inside(interception, host: host, account: account).words == expected)
    }

    @Test("is for the account of its credentials rather than for the one that is assumed")
    func namedAccount() throws {
        let usual = try RouterFixture.router()
        let router = Router(apis: usual.apis, access: usual.access, assumedAccount: "alice")
        let interception = try #require(
            router.connect("api.example.com:443", RouterFixture.basic("default:")).interception
        )
        #expect(
            try router.inside(interception, host: "api.example.com").words == "forward t/default to api.example.com:443"
        )
    }

    @Test("in an interception needs a Host field")
    func missingHost() throws {
        let router = try RouterFixture.router()
        let interception = try #require(router.connect("api.example.com:443").interception)
        let decision = router.result(inside: interception, try RequestHead("GET", "/", [:]))
        #expect(decision.words == "refuse missing_host")
    }

    @Test(
        "in an interception may have an absolute-form target, if it is for the same authority",
        arguments: [
            ("https://api.example.com/a?b", "forward t/default to api.example.com:443", "/a?b"),
            ("https://api.example.com:443", "forward t/default to api.example.com:443", "/"),
            ("HTTPS://API.example.com?b", "forward t/default to api.example.com:443", "/?b"),
            ("wss://api.example.com/a", "forward t/default to api.example.com:443", "/a"),
            ("ws://api.example.com/", "refuse misdirected", nil),
            ("http://api.example.com/", "refuse misdirected", nil),
            ("https://other.example.com/", "refuse misdirected", nil),
        ]
    )
    func absoluteInside(_ target: String, _ expected: String, _ sent: String?) throws {
        let router = try RouterFixture.router()
        let interception = try #require(router.connect("api.example.com:443").interception)
        let decision = try router.inside(interception, target)
        #expect(decision.words == expected)
        #expect(decision.target == sent)
    }

    @Test("in an interception may have an asterisk-form target")
    func asteriskInside() throws {
        let router = try RouterFixture.router()
        let interception = try #require(router.connect("api.example.com:443").interception)
        let decision = try router.inside(interception, method: "OPTIONS", "*")
        #expect(decision.words == "forward t/default to api.example.com:443" && decision.target == "*")
    }

    @Test(
        "in absolute-form is forwarded to the API of its host, or passed on",
        arguments: [
            ("http://api.example.com/a?b", "forward t/default to api.example.com:443", "/a?b"),
            ("http://api.example.com", "forward t/default to api.example.com:443", "/"),
            ("http://api.example.com?q=/", "forward t/default to api.example.com:443", "/?q=/"),
            ("HTTP://API.EXAMPLE.COM:80/", "forward t/default to api.example.com:443", "/"),
            ("https://api.example.com/", "forward t/default to api.example.com:443", "/"),
            ("ws://api.example.com/a", "forward t/default to api.example.com:443", "/a"),
            ("WSS://api.example.com", "forward t/default to api.example.com:443", "/"),
            ("ws://www.example.org/", "pass to www.example.org:80", "/"),
            ("http://www.example.org/", "pass to www.example.org:80", "/"),
            ("http://x.wild.example.com:8443/", "forward t/default to x.wild.example.com:8443", "/"),
            ("http://x.wild.example.com/", "pass to x.wild.example.com:80", "/"),
            ("http://clear.example.com/", "forward clear/default to clear.example.com:80", "/"),
            ("https://clear.example.com/", "forward clear/default to clear.example.com:80", "/"),
            ("http://www.example.org:8080/", "refuse port_not_allowed", nil),
            ("http://www.example.org:443/", "refuse port_not_allowed", nil),
            ("http://api.example.com:25/", "refuse port_not_allowed", nil),
            ("https://www.example.org/", "refuse tunnel_needed", nil),
            ("http://api.example.com./", "refuse malformed_authority", nil),
            ("//api.example.com/", "refuse unsupported_target", nil),
            ("/a", "refuse unsupported_target", nil),
        ]
    )
    func absolute(_ target: String, _ expected: String, _ sent: String?) throws {
        let decision = try RouterFixture.router().absolute(target)
        #expect(decision.words == expected)
        #expect(decision.target == sent)
    }

    @Test(
        "in absolute-form is for its target, whatever the Host field says",
        arguments: ["api.example.com", "API.example.com:80", "www.example.org", "clear.example.com", "", "a b"]
    )
    func hostOfAbsoluteForm(_ host: String) throws {
        let router = try RouterFixture.router()
        for (target, expected) in [
            ("http://api.example.com/", "forward t/default to api.example.com:443"),
            ("https://api.example.com/", "forward t/default to api.example.com:443"),
            ("http://clear.example.com/", "forward clear/default to clear.example.com:80"),
            ("http://www.example.org/", "pass to www.example.org:80"),
        ] {
            #expect(try router.absolute(target, host: host).words == expected)
        }
    }

    @Test("to hosts of no API goes to the ports that are allowed")
    func plainPorts() throws {
        let router = Router(apis: try RouterFixture.router().apis, access: AccessPolicy(plainPorts: [8080]))
        #expect(try router.absolute("http://www.example.org:8080/").words == "pass to www.example.org:8080")
        #expect(try router.absolute("http://www.example.org/").words == "refuse port_not_allowed")
        #expect(try router.absolute("http://api.example.com/").words == "forward t/default to api.example.com:443")
    }

    @Test("of a client that is confined to APIs reaches no other host, nor does a tunnel")
    func confinedClients() throws {
        let confined = RouterFixture.client("c", password: "p", apis: ["t"])
        let router = try RouterFixture.router(clients: [confined, RouterFixture.client("free", password: "p")])
        let (one, other) = (RouterFixture.basic("c:p"), RouterFixture.basic("free:p"))
        #expect(try router.absolute("http://www.example.org/", one).words == "refuse other_host_not_allowed")
        #expect(router.connect("www.example.org:443", one).words == "refuse other_host_not_allowed")
        #expect(try router.absolute("http://www.example.org/", other).words == "pass to www.example.org:80")
        #expect(router.connect("www.example.org:443", other).words == "tunnel www.example.org:443")
    }

    @Test("in absolute-form for hosts of no API is refused when the configuration says so")
    func otherHostsRefused() throws {
        let router = try RouterFixture.router(otherHosts: .refuse)
        #expect(try router.absolute("http://www.example.org/").words == "refuse host_of_no_api")
        #expect(try router.absolute("https://www.example.org/").words == "refuse host_of_no_api")
        #expect(try router.absolute("http://api.example.com/").words == "forward t/default to api.example.com:443")
    }

    @Test(
        "is signed as whom it names, first in Paraph-Account, then in its credentials, and never as somebody else",
        arguments: [
            (nil, nil, "forward t/default to api.example.com:443"),
            ("alice", nil, "forward t/alice to api.example.com:443"),
            ("alice", "bob+work:x", "forward t/alice to api.example.com:443"),
            (nil, "bob+work:x", "forward t/bob+work to api.example.com:443"),
            (nil, ":x", "forward t/default to api.example.com:443"),
            ("default", "alice:x", "forward t/default to api.example.com:443"),
            ("nobody", "alice:x", "refuse unknown_account"),
            (nil, "nobody:x", "refuse unknown_account"),
            ("", "alice:x", "refuse unknown_account"),
            ("Alice", nil, "refuse unknown_account"),
        ]
    )
    func accounts(_ field: String?, _ credentials: String?, _ expected: String) throws {
        let router = try RouterFixture.router()
        let authorization = credentials.map(RouterFixture.basic)
        #expect(try router.absolute("http://api.example.com/", authorization, account: field).words == expected)
        let interception = try #require(router.connect("api.example.com:443", authorization).interception)
        #expect(try router.inside(interception, account: field).words == expected)
    }

    @Test("that names nobody is refused where there is no default account")
    func noDefault() throws {
        let decision = try RouterFixture.router().absolute("http://confined.example.com/1.1/")
        #expect(decision.words == "refuse unknown_account")
    }

    @Test(
        "of a client is confined to the client's APIs and accounts",
        arguments: [
            ("http://api.example.com/", "billing+alice:right", nil, "forward t/alice to api.example.com:443"),
            ("http://api.example.com/", "billing+bob+work:right", nil, "refuse account_not_allowed"),
            ("http://api.example.com/", "billing:right", "alice", "forward t/alice to api.example.com:443"),
            ("http://api.example.com/", "billing:right", nil, "refuse account_not_allowed"),
            ("http://api.example.com/", "billing+alice:right", "default", "refuse account_not_allowed"),
            ("http://confined.example.com/1.1/", "billing+alice:right", nil, "refuse api_not_allowed"),
            ("http://api.example.com/", "billing+alice:wrong", nil, "refuse client_not_authenticated"),
            ("http://www.example.org/", "billing:right", nil, "refuse other_host_not_allowed"),
        ]
    )
    func clients(_ target: String, _ credentials: String, _ field: String?, _ expected: String) throws {
        let client = RouterFixture.client("billing", password: "right", apis: ["t"], accounts: ["alice"])
        let decision = try RouterFixture.router(clients: [client])
            .absolute(target, RouterFixture.basic(credentials), account: field)
        #expect(decision.words == expected)
    }
}
