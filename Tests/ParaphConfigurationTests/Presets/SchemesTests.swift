import Credentials
import OAuthSigning
import ParaphConfiguration
import Settings
import Testing

@Suite("The way an API's requests are authorized")
struct SchemesTests {
    /// An API on api.example.com with these lines.
    private static func api(_ lines: String) throws -> APISettings {
        try #require(try read(yaml(lines)).proxy.apis.first)
    }

    private static func yaml(_ lines: String) -> String {
        "apis:\n  t:\n    hosts: [api.example.com]\n"
            + lines.split(separator: "\n").map { "    \($0)\n" }.joined()
    }

    private static let password = "accounts: {default: {password: {username: u, password: p}}}"

    private static func oauth2(_ more: String = "") throws -> OAuth2Settings {
        let block = "token_url: https://api.example.com/token, client_id: c, client_secret: s"
        let api = try api("oauth2: {\(block)\(more)}\n\(password)")
        guard case .oauth2(let settings) = api.scheme else { throw Unexpected() }
        return settings
    }

    private struct Unexpected: Error {}

    @Test("can be OAuth 2, as RFC 6749 has it unless something else is said")
    func oauth2Defaults() throws {
        let settings = try Self.oauth2()
        #expect(settings.tokenURL == "https://api.example.com/token")
        #expect(settings.clientID == "c")
        #expect(settings.clientSecret == Secret("s"))
        #expect(settings.header == .bearer)
        #expect(settings.sendsGrantType)
        #expect(settings.clientAuthentication == .body)
        #expect(settings.scope == nil)
    }

    @Test("can be OAuth 2 in another dialect")
    func oauth2Dialect() throws {
        let settings = try Self.oauth2(
            ", header: 'Token token=\"{token}\"', client_authentication: basic, scope: a b"
        )
        #expect(settings.header.value(token: Secret("x")) == Array(#"Token token="x""#.utf8))
        #expect(settings.clientAuthentication == .basic)
        #expect(settings.scope == "a b")
    }

    private static func bearer(_ header: String) throws -> HeaderTemplate {
        let api = try api("bearer: {header: '\(header)'}\naccounts: {default: {token: t}}")
        guard case .bearer(let template) = api.scheme else { throw Unexpected() }
        return template
    }

    @Test(
        "can be a token in a field of another name, or behind another word",
        arguments: [
            ("X-Api-Key: {token}", "X-Api-Key", "t"),
            ("Authorization: Discogs token={token}", "Authorization", "Discogs token=t"),
            ("Discogs token={token}", "Authorization", "Discogs token=t"), ("X-Key:  a {token}; b", "X-Key", "a t; b"),
            ("authorization: {token}", "Authorization", "t"),
            ("Authorization: key:{token}", "Authorization", "key:t"), ("Key id: {token}", "Authorization", "Key id: t"),
        ]
    )
    func bearerField(_ header: String, _ name: String, _ value: String) throws {
        let template = try Self.bearer(header)
        #expect(template.fieldName == name)
        #expect(template.value(token: Secret("t")) == Array(value.utf8))
    }

    @Test(
        "is remarked on where its first word looks like the name of a field, whose colon was forgotten",
        arguments: [
            ("X-Api-Key {token}", true), ("Api-Key {token}", true), ("private-token {token}", true),
            ("X-Api-Key: {token}", false), ("Discogs token={token}", false), ("Token {token}", false),
            ("Authorization: X-Api-Key {token}", false),
        ]
    )
    func forgottenColon(_ header: String, _ isTold: Bool) throws {
        let yaml = """
            apis:
              t:
                hosts: [api.example.com]
                bearer: {header: '\(header)'}
                accounts: {default: {token: t}}
            """
        let advice = try read(yaml).advice.map(\.message).filter { $0.contains("is a value of Authorization; write '") }
        #expect(advice.count == (isTold ? 1 : 0))
    }

    @Test("can be a granted token in a field of another name, or behind a name and a colon")
    func oauth2Field() throws {
        #expect(try Self.oauth2(", header: 'X-Access-Token: {token}'").header.fieldName == "X-Access-Token")
        let older = try Self.oauth2(", header: 'key:{token}'").header
        #expect(older.fieldName == "Authorization")
        #expect(older.prefix == "key:")
    }

    @Test("can be a bearer token of RFC 6750")
    func bearerDefault() throws {
        guard case .bearer(let template) = try Self.api("bearer: {}\naccounts: {default: {token: t}}").scheme else {
            throw Unexpected()
        }
        #expect(template == .bearer)
    }

    @Test(
        "says the grant type unless the header begins with Token, or as it is told",
        arguments: [
            (", header: 'Token token=\"{token}\"'", false), (", header: 'Token {token}', grant_type: send", true),
            (", header: 'Tokens {token}'", true), (", grant_type: omit", false), (", grant_type: send", true),
        ]
    )
    func grantType(_ more: String, _ expected: Bool) throws {
        #expect(try Self.oauth2(more).sendsGrantType == expected)
    }

    @Test("gives an account of OAuth 2 a user's name and password")
    func passwordAccount() throws {
        let api = try Self.api(
            "oauth2: {token_url: https://api.example.com/token, client_id: c, client_secret: s}\n\(Self.password)"
        )
        guard case .password(let login)? = api.accounts.first?.source else { throw Unexpected() }
        #expect(login == PasswordCredentials(username: "u", password: Secret("p")))
    }

    @Test("can be a bearer token, with nothing more to say", arguments: ["{}", "", "null"])
    func bearer(_ block: String) throws {
        let api = try Self.api("bearer: \(block)\naccounts: {default: {token: abc}}")
        guard case .bearer = api.scheme, case .bearer(let token)? = api.accounts.first?.source else {
            throw Unexpected()
        }
        #expect(token == Secret("abc"))
    }

    @Test("makes timestamps and follows the provider's clock as is said, per account too")
    func timestamps() throws {
        let api = try Self.api(
            """
            oauth1: {consumer_key: k, consumer_secret: s, timestamp: monotonic, clock_correction: off}
            accounts: {a: {two_legged: on}, b: {two_legged: on, oauth1: {clock_correction: on}}}
            """
        )
        #expect(api.oauth1?.timestamps == .monotonic)
        #expect(api.oauth1?.correctsClock == false)
        #expect(api.accounts.first?.oauth1 == nil)
        let own = try #require(api.accounts.last?.oauth1)
        #expect(own.timestamps == .monotonic)
        #expect(own.correctsClock)
        #expect(own.client.identifier == "k")
        #expect(try read(Minimal.yaml).proxy.apis.first?.oauth1?.timestamps == .wall)
        #expect(try read(Minimal.yaml).proxy.apis.first?.oauth1?.correctsClock == true)
    }

    @Test("has a use for some ways to a token only")
    func misfits() {
        let schemes = [
            "oauth1": "{consumer_key: k, consumer_secret: s}",
            "oauth2": "{token_url: https://api.example.com/t, client_id: c, client_secret: s}", "bearer": "{}",
        ]
        let url = "https://api.example.com/t"
        let kinds: [(String, String, Set<String>)] = [
            ("token and secret", "{token: a, token_secret: b}", ["oauth1"]),
            ("token", "{token: a}", ["bearer"]),
            ("two_legged", "{two_legged: true}", ["oauth1"]),
            ("password", "{password: {username: a, password: b}}", ["oauth2"]),
            ("xauth", "{xauth: {access_token_url: \(url), username: a, password: b}}", ["oauth1"]),
            (
                "three_legged",
                "{three_legged: {request_token_url: \(url), authorize_url: \(url), access_token_url: \(url)}}",
                ["oauth1"]
            ),
        ]
        for (scheme, block) in schemes {
            for (name, account, fitting) in kinds {
                let found = mistakes(Self.yaml("\(scheme): \(block)\naccounts: {default: \(account)}").utf8)
                #expect(found.isEmpty == fitting.contains(scheme), "\(name) of \(scheme): \(found)")
                #expect(found.count <= 1)
            }
        }
    }
}
