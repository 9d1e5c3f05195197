import Routing
import Testing

@Suite("Authority")
struct AuthorityTests {
    struct Accepted: CustomTestStringConvertible, Sendable {
        var text: String
        var host: String
        var port: Int
        var testDescription: String { text }
    }

    @Test(
        "is read strictly, in lower case and with its default port",
        arguments: [
            Accepted(text: "api.example.com", host: "api.example.com", port: 443),
            Accepted(text: "API.Example.COM:8443", host: "api.example.com", port: 8443),
            Accepted(text: "localhost:1", host: "localhost", port: 1),
            Accepted(text: "host:65535", host: "host", port: 65535),
            Accepted(text: "host:00080", host: "host", port: 80),
            Accepted(
                text: "under_score-9.xn--bcher-kva.example",
                host: "under_score-9.xn--bcher-kva.example",
                port: 443
            ),
            Accepted(text: "192.0.2.1:80", host: "192.0.2.1", port: 80),
            Accepted(text: "[::1]", host: "::1", port: 443),
            Accepted(text: "[2001:DB8:0:0:0:0:0:1]:8443", host: "2001:db8::1", port: 8443),
            Accepted(text: "[::ffff:192.0.2.1]:80", host: "::ffff:192.0.2.1", port: 80),
            Accepted(
                text: String(repeating: "a", count: 63) + ".example",
                host: String(repeating: "a", count: 63) + ".example",
                port: 443
            ),
        ]
    )
    func accepts(_ row: Accepted) throws {
        let authority = try Authority(parsing: row.text, defaultPort: 443)
        #expect(authority.host == row.host)
        #expect(authority.port == row.port)
    }

    @Test(
        "is refused with its reason",
        arguments: [
            ("", AuthoritySyntaxError.emptyHost),
            (":443", .emptyHost),
            ("user@host:443", .userInformation),
            ("user:pass@host", .userInformation),
            ("@host", .userInformation),
            ("host@[::1]", .userInformation),
            ("host:", .badPort),
            ("host:0", .badPort),
            ("host:65536", .badPort),
            ("host:100000", .badPort),
            ("host:+80", .badPort),
            ("host:8 0", .badPort),
            ("host:８０", .badPort),
            ("a.example.com.", .trailingDot),
            (".", .badHost),
            ("a..b", .badHost),
            (".a", .badHost),
            ("a b", .badHost),
            ("a%2eb", .badHost),
            ("büch.example", .badHost),
            ("a/b", .badHost),
            ("a\u{1}b", .badHost),
            ("a\r\nb", .badHost),
            ("*.example.com", .badHost),
            ("::1", .unbracketedIPv6),
            ("2001:db8::1:443", .unbracketedIPv6),
            ("[::1", .badHost),
            ("[::1]x", .badHost),
            ("[::1]:80:80", .badHost),
            ("[192.0.2.1]", .badHost),
            ("[]", .badHost),
            ("[fe80::1%eth0]:443", .zoneIdentifier),
            ("[fe80::1%25eth0]", .zoneIdentifier),
            ("127.1", .badAddress),
            ("2130706433", .badAddress),
            ("0x7f000001", .badAddress),
            ("127.0.0.010", .badAddress),
            ("127.0.0.256", .badAddress),
            ("1.2.3.4.5", .badAddress),
            (String(repeating: "a", count: 64), .badHost),
            (String(repeating: "a.", count: 130) + "b", .badHost),
        ]
    )
    func refuses(_ text: String, _ reason: AuthoritySyntaxError) {
        #expect(throws: reason) { try Authority(parsing: text, defaultPort: 443) }
    }

    @Test("needs a port where there is no default")
    func portIsNeeded() {
        #expect(throws: AuthoritySyntaxError.missingPort) { try Authority(parsing: "host", defaultPort: nil) }
        #expect(throws: AuthoritySyntaxError.missingPort) { try Authority(parsing: "[::1]", defaultPort: nil) }
    }

    @Test("is written as a Host field without its default port")
    func fieldValue() throws {
        #expect(try Authority(parsing: "H:443", defaultPort: nil).fieldValue(defaultPort: 443) == "h")
        #expect(try Authority(parsing: "h:8443", defaultPort: nil).fieldValue(defaultPort: 443) == "h:8443")
        #expect(try Authority(parsing: "[0::1]:443", defaultPort: nil).fieldValue(defaultPort: 443) == "[::1]")
        #expect(try "\(Authority(parsing: "[::1]", defaultPort: 443))" == "[::1]:443")
    }

    @Test("explains every refusal", arguments: AuthoritySyntaxError.allCases)
    func explains(_ error: AuthoritySyntaxError) {
        #expect("\(error)".contains(" "))
    }
}
