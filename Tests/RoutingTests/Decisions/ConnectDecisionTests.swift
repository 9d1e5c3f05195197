import Routing
import Testing

@Suite("CONNECT")
struct ConnectDecisionTests {
    @Test(
        "to an API's host is intercepted, to others a tunnel on an allowed port",
        arguments: [
            ("api.example.com:443", "intercept t"),
            ("x.wild.example.com:8443", "intercept t"),
            ("[::1]:9000", "intercept t"),
            ("api.example.com:8443", "refuse port_not_allowed"),
            ("www.example.org:443", "tunnel www.example.org:443"),
            ("www.example.org:25", "refuse port_not_allowed"),
            ("www.example.org", "refuse malformed_authority"),
            ("api.example.com.:443", "refuse malformed_authority"),
            ("user@api.example.com:443", "refuse malformed_authority"),
            ("http://api.example.com:443", "refuse malformed_authority"),
            ("", "refuse malformed_authority"),
        ]
    )
    func routing(_ authority: String, _ expected: String) throws {
        #expect(try RouterFixture.router().connect(authority).words == expected)
    }

    @Test("to hosts of no API is refused when the configuration says so")
    func otherHostsRefused() throws {
        let router = try RouterFixture.router(otherHosts: .refuse)
        #expect(router.connect("www.example.org:443").words == "refuse host_of_no_api")
        #expect(router.connect("api.example.com:443").words == "intercept t")
    }

    @Test(
        "without configured clients takes the whole user name for the account's",
        arguments: [
            (nil, "intercept t"),
            (RouterFixture.basic("alice:x"), "intercept t for alice"),
            (RouterFixture.basic("bob+work:"), "intercept t for bob+work"),
            (RouterFixture.basic(":x"), "intercept t"),
            (RouterFixture.basic("alice:a:b"), "intercept t for alice"),
            ("bAsIc   " + RouterFixture.base64(Array("alice:x".utf8)), "intercept t for alice"),
            ("Bearer abc", "intercept t"),
            ("Basically abc", "intercept t"),
            ("Basic", "refuse malformed_proxy_authorization"),
            ("Basic ", "refuse malformed_proxy_authorization"),
            ("Basic !!!!", "refuse malformed_proxy_authorization"),
            ("Basic YWxpY2U6eA", "refuse malformed_proxy_authorization"),
            (RouterFixture.basic("alice"), "refuse malformed_proxy_authorization"),
            (RouterFixture.basic("al\nice:x"), "refuse malformed_proxy_authorization"),
            ("Basic " + RouterFixture.base64([0xff, 0x3a, 0x78]), "refuse malformed_proxy_authorization"),
        ]
    )
    func accountNames(_ field: String?, _ expected: String) throws {
        #expect(try RouterFixture.router().connect("api.example.com:443", field).words == expected)
    }

    @Test(
        "with configured clients asks for a name and a password",
        arguments: [
            (nil, "refuse client_not_authenticated"),
            ("Bearer abc", "refuse client_not_authenticated"),
            ("Basic !!!!", "refuse client_not_authenticated"),
            (RouterFixture.basic("billing:right"), "intercept t"),
            (RouterFixture.basic("billing+alice:right"), "intercept t for alice"),
            (RouterFixture.basic("billing+bob+work:right"), "intercept t for bob+work"),
            (RouterFixture.basic("billing+:right"), "intercept t"),
            (RouterFixture.basic("billing:wrong"), "refuse client_not_authenticated"),
            (RouterFixture.basic("billing:righ"), "refuse client_not_authenticated"),
            (RouterFixture.basic("billing:"), "refuse client_not_authenticated"),
            (RouterFixture.basic("Billing:right"), "refuse client_not_authenticated"),
            (RouterFixture.basic("nobody:right"), "refuse client_not_authenticated"),
            (RouterFixture.basic(":right"), "refuse client_not_authenticated"),
            (RouterFixture.basic("+alice:right"), "refuse client_not_authenticated"),
            (RouterFixture.basic("reports:a:b"), "refuse api_not_allowed"),
        ]
    )
    func clients(_ field: String?, _ expected: String) throws {
        let router = try RouterFixture.router(clients: [
            RouterFixture.client("billing", password: "right"),
            RouterFixture.client("reports", password: "a:b", apis: ["confined"]),
        ])
        #expect(router.connect("api.example.com:443", field).words == expected)
    }

    @Test("asks who the client is before it tells anything of the host")
    func authenticatesFirst() throws {
        let router = try RouterFixture.router(
            clients: [RouterFixture.client("billing", password: "right")],
            otherHosts: .refuse
        )
        for authority in ["api.example.com:443", "www.example.org:443", "nonsense", "www.example.org:25"] {
            #expect(router.connect(authority).words == "refuse client_not_authenticated")
        }
    }

    @Test("compares a password for an unknown client too")
    func unknownClientCostsTheSame() throws {
        let counter = Counter()
        let client = Client(name: "billing") { _ in
            counter.count()
            return true
        }
        let router = try RouterFixture.router(clients: [client])
        #expect(
            router.connect("api.example.com:443", RouterFixture.basic("nobody:x")).words
                == "refuse client_not_authenticated"
        )
        #expect(counter.value == 1)
    }
}
