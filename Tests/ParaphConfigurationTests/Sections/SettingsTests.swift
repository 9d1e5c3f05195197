import Bytes
import Credentials
import NIOCore
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings
import Testing
import UpstreamTrust

@Suite("Settings")
struct SettingsTests {
    static let pins = [
        "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=", "sha256/ICEiIyQlJicoKSorLC0uLzAxMjM0NTY3ODk6Ozw9Pj8=",
    ]

    @Test(
        "of duration are read in their unit",
        arguments: [
            ("250ms", TimeAmount.milliseconds(250)), ("10s", .seconds(10)), ("5m", .seconds(300)),
            ("1h", .seconds(3_600)),
            ("\"24h\"", .seconds(86_400)), ("1ms", .milliseconds(1)), ("007s", .seconds(7)),
        ]
    )
    func durations(_ text: String, _ expected: TimeAmount) throws {
        #expect(try read("timeouts: {idle: \(text)}\n\(Minimal.yaml)").proxy.timeouts.idle == expected)
    }

    @Test(
        "of duration are not read from anything else",
        arguments: [
            "10", "0s", "s", "", "-1s", "1.5s", "1 s", "1d", "25h", "99999999999999999999s", "9223372036854775807h",
            "1S", "[1s]", "0x1s",
        ]
    )
    func badDurations(_ text: String) {
        #expect(mistakes("timeouts: {idle: \(text)}\n\(Minimal.yaml)".utf8).count == 1)
    }

    @Test("of drain may be not to wait at all")
    func noDrain() throws {
        #expect(try read("timeouts: {drain: 0s}\n\(Minimal.yaml)").proxy.timeouts.drain == .zero)
    }

    @Test(
        "of size are read in their unit",
        arguments: [("64KiB", 65_536), ("1MiB", 1_048_576), ("4096", 4_096), ("\"8192\"", 8_192)]
    )
    func sizes(_ text: String, _ expected: Int) throws {
        #expect(try read("limits: {header: \(text)}\n\(Minimal.yaml)").proxy.limits.header == expected)
    }

    @Test(
        "of size are not read from anything else",
        arguments: [
            "64KB", "64k", "1 MiB", "1.5MiB", "-1", "", "4095", "2MiB", "9223372036854775807GiB",
            "99999999999999999999", "KiB", "1e4", "4_096",
        ]
    )
    func badSizes(_ text: String) {
        #expect(mistakes("limits: {header: \(text)}\n\(Minimal.yaml)".utf8).count == 1)
    }

    @Test(
        "of switches say on and off in either way",
        arguments: [
            ("on", true), ("true", true), ("On", true), ("TRUE", true), ("\"on\"", true), ("off", false),
            ("false", false), ("False", false),
        ]
    )
    func switches(_ text: String, _ expected: Bool) throws {
        let configuration = try read(
            Minimal.withOAuth1("include_version: \(text)") + "    tls: {verify_hostname: \(text)}\n"
        )
        #expect(configuration.proxy.apis.first?.oauth1?.options.includesVersion == expected)
        #expect(configuration.proxy.apis.first?.tls.verifiesHostname == expected)
        #expect(configuration.switchedOff.isEmpty == expected)
    }

    @Test(
        "of body_hash take true and false for on and off",
        arguments: [("on", BodyHashPolicy.on), ("true", .on), ("off", .off), ("false", .off), ("always", .always)]
    )
    func bodyHash(_ text: String, _ expected: BodyHashPolicy) throws {
        #expect(
            try read(Minimal.withOAuth1("body_hash: \(text)")).proxy.apis.first?.oauth1?.options.bodyHash == expected
        )
    }

    @Test("of signing are read", arguments: SignatureMethod.allCases.filter { !$0.isRSA })
    func signing(_ method: SignatureMethod) throws {
        let api = try #require(
            try read(
                Minimal.withOAuth1(
                    "signature_method: \(method.rawValue)\nrealm: Photos, \"mine\"\nempty_token: send\ninclude_version: off"
                )
                    + "    signing: {max_body: 2MiB, on_existing_authorization: keep}\n"
            ).proxy.apis.first
        )
        #expect(
            api.oauth1?.options
                == SigningOptions(
                    signatureMethod: method,
                    realm: "Photos, \"mine\"",
                    sendsEmptyToken: true,
                    includesVersion: false
                )
        )
        #expect(api.maxBody == 2 << 20)
        #expect(api.existingAuthorization == .keep)
    }

    @Test("of placement are read", arguments: [ParameterPlacement.header, .query, .body])
    func placement(_ placement: ParameterPlacement) throws {
        #expect(
            try read(Minimal.withOAuth1("placement: \(placement.rawValue)")).proxy.apis.first?.oauth1?.options.placement
                == placement
        )
    }

    @Test(
        "that look like numbers or switches are text where text is meant",
        arguments: [
            "12345", "012345", "0x1F", "1e5", "yes", "on", "1.10", "2024-01-01", "12:30:45", "\"null\"", "1_000",
        ]
    )
    func numbersAsText(_ text: String) throws {
        let configuration = try read(Minimal.yaml.replacing("consumer_key: key", with: "consumer_key: \(text)"))
        #expect(configuration.proxy.apis.first?.oauth1?.client.identifier == text.replacing("\"", with: ""))
    }

    @Test(
        "of listeners are addresses",
        arguments: [
            ("127.0.0.1:8080", ListenAddress(host: "127.0.0.1", port: 8080)),
            ("127.9.9.9:0", ListenAddress(host: "127.9.9.9", port: 0)),
            ("\"[::1]:8080\"", ListenAddress(host: "::1", port: 8080)),
            ("\"[::1]:0\"", ListenAddress(host: "::1", port: 0)),
            ("localhost:9", ListenAddress(host: "localhost", port: 9)),
        ]
    )
    func listeners(_ text: String, _ expected: ListenAddress) throws {
        let configuration = try read("listen: {proxy: \(text), admin: off}\n\(Minimal.yaml)")
        #expect(configuration.proxy.address == expected && configuration.admin == nil)
    }

    @Test(
        "of a listener beyond loopback need clients",
        arguments: ["0.0.0.0:8080", "\"[::]:8080\"", "10.0.0.1:8080", "proxy.example:8080", "\"[::ffff:10.0.0.1]:1\""]
    )
    func openListeners(_ address: String) throws {
        let admin = "{address: \"0.0.0.0:8081\", token: t}"
        let yaml = "listen: {proxy: \(address), admin: \(admin)}\n\(Minimal.yaml)"
        #expect(mistakes(yaml.utf8).count == 1)
        #expect(mistakes("\(yaml)access: {clients: [{name: a, password: b}]}\n".utf8) == [])
        #expect(mistakes("\(yaml)access: {clients: []}\n".utf8).count == 1)
    }

    @Test("of the admin listener has a token where others reach it")
    func adminToken() throws {
        let withToken = "listen: {admin: {address: \"0.0.0.0:8081\", token: {env: ADMIN_TOKEN}}}\n\(Minimal.yaml)"
        let configuration = try read(withToken, environment: ["ADMIN_TOKEN": "abc"])
        #expect(configuration.admin?.address == ListenAddress(host: "0.0.0.0", port: 8081))
        #expect(configuration.admin?.token == Secret("abc"))
        let onLoopback = "listen: {admin: {address: \"[::1]:0\", token: a}}\n\(Minimal.yaml)"
        #expect(try read(onLoopback).admin?.token == Secret("a"))
        #expect(try read(onLoopback.replacing(", token: a", with: "")).admin?.token == nil)
        for address in ["0.0.0.0:8081", "192.0.2.1:8081", "\"[::]:8081\"", "paraph.example:8081"] {
            for admin in [address, "{address: \(address)}"] {
                let found = mistakes("listen: {admin: \(admin)}\n\(Minimal.yaml)".utf8)
                #expect(found.count == 1 && found[0].contains("lets anyone who reaches it list and remove accounts"))
            }
        }
        #expect(mistakes("listen: {admin: {token: a}}\n\(Minimal.yaml)".utf8) == ["1:10: listen.admin lacks address"])
    }

    @Test("of the admin listener can be off in both words", arguments: ["off", "false"])
    func adminOff(_ word: String) throws {
        #expect(try read("listen: {admin: \(word)}\n\(Minimal.yaml)").admin?.address == nil)
    }

    @Test("of access are read, and decide")
    func access() throws {
        let configuration = try read(
            Minimal.yaml + """
                access:
                  clients:
                    - {name: billing, password: right, apis: [t], accounts: [default]}
                  other_hosts: refuse
                  denied_networks: [10.0.0.0/8]
                  allowed_networks: [10.1.0.0/16]
                  connect_ports: [443, 8443]
                """
        )
        let access = configuration.access
        #expect(access.otherHosts == .refuse)
        #expect(access.connectPorts == [443, 8443])
        #expect(access.plainPorts == [443, 8443])
        #expect(access.otherHostsNetworks == access.networks.withoutPrivateNetworks)
        #expect(access.networks.denied.map(\.description) == ["10.0.0.0/8"])
        #expect(access.networks.allowed.map(\.description) == ["10.1.0.0/16"])
        let client = try #require(access.clients.first)
        #expect(client.name == "billing")
        #expect(client.apis == ["t"])
        #expect(client.accounts == ["default"])
        for (password, isRight) in [
            ("right", true), ("righ", false), ("rightright", false), ("Right", false), ("", false),
        ] {
            #expect(client.acceptsPassword(password.utf8Span.span) == isRight, "\(password)")
        }
        let authority = try Authority(parsing: "api.example.com", defaultPort: 443)
        #expect(configuration.proxy.router.apis.route(for: authority) === configuration.proxy.apis.first?.route)
    }

    @Test("of access allow some of the other hosts, at the ports that CONNECT may name")
    func allowedHosts() throws {
        let router = try read(
            Minimal.yaml + """
                access:
                  other_hosts: {allow: [pypi.org, "*.github.com", "files.example:8443"], else: refuse}
                  connect_ports: [443, 8443]
                """
        ).proxy.router
        for (target, isTunnelled) in [
            ("pypi.org:443", true), ("PyPI.org:8443", true), ("pypi.org:22", false), ("x.pypi.org:443", false),
            ("api.github.com:443", true), ("github.com:443", false), ("a.b.github.com:443", false),
            ("files.example:8443", true), ("files.example:443", false), ("other.example:443", false),
        ] {
            let decision = try? router.decide(connect: ByteBuffer(string: target), proxyAuthorization: nil)
            let found = if case .tunnel? = decision { true } else { false }
            #expect(found == isTunnelled, "\(target)")
        }
    }

    @Test(
        "of access that are left out are the same as without it",
        arguments: ["{}", "{other_hosts: tunnel}", "{denied_networks: ~, allowed_networks: ~, connect_ports: ~}"]
    )
    func accessDefaults(_ access: String) throws {
        let access = try read("access: \(access)\n\(Minimal.yaml)").access
        #expect(access.connectPorts == [443])
        #expect(access.otherHosts == .tunnel)
        #expect(access.networks == NetworkPolicy.standard)
        #expect(access.clients.isEmpty)
    }

    @Test("of an API's reach are read")
    func reach() throws {
        let api = try #require(
            try read(
                Minimal.withAPI(
                    "connect_to: 10.0.0.7:8443\nupstream: http\npaths: [/1.1/, /2/]\nmethods: [GET, M-SEARCH]"
                )
            ).proxy.apis.first
        )
        #expect(api.connectTo?.description == "10.0.0.7:8443")
        #expect(api.route.upstreamScheme == .http)
        #expect(api.route.paths == ["/1.1/", "/2/"])
        #expect(api.route.methods == ["GET", "M-SEARCH"])
        #expect(
            try read(Minimal.withAPI("connect_to: \"[::1]\"")).proxy.apis.first?.connectTo?.description == "[::1]:443"
        )
    }
}
