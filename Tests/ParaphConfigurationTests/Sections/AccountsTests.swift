import Credentials
import OAuthSigning
import ParaphConfiguration
import Routing
import Settings
import Testing

@Suite("Accounts")
struct AccountsTests {
    private static func accounts(_ lines: String) throws -> [AccountSettings] {
        let more = lines.split(separator: "\n").map { "      \($0)\n" }.joined()
        return try #require(try read(Minimal.withOAuth1("realm: Photos") + more).proxy.apis.first).accounts
    }

    @Test("keep the order of the file, which the routes count by")
    func order() throws {
        let api = try #require(
            try read(
                Minimal.yaml
                    + "      zoe: {two_legged: on}\n      \"2311\": {two_legged: on}\n      ann@example.com: {two_legged: true}\n"
            )
            .proxy.apis.first
        )
        #expect(api.accounts.map(\.name) == ["default", "zoe", "2311", "ann@example.com"])
        for (place, account) in api.accounts.enumerated() {
            #expect(api.route.account(named: account.name)?.index == place)
        }
    }

    @Test("can do without a token")
    func twoLegged() throws {
        let account = try #require(try Self.accounts("app: {two_legged: true}").last)
        guard case .twoLegged = account.source else {
            Issue.record("\(account.source)")
            return
        }
    }

    @Test("can get theirs by reverse auth at the API's own hosts")
    func reverseAuth() throws {
        let account = try #require(
            try Self.accounts(
                """
                alice:
                  reverse_auth:
                    request_token_url: https://api.example.com/oauth/request_token
                    access_token_url: https://API.example.com:443/oauth/access_token?x=y
                    signed_as: {consumer_key: 1, consumer_secret: 2, token: 3, token_secret: 4}
                """
            ).last
        )
        guard case .reverseAuth(let settings) = account.source else {
            Issue.record("\(account.source)")
            return
        }
        #expect(settings.requestTokenURL == "https://api.example.com/oauth/request_token")
        #expect(settings.accessTokenURL == "https://API.example.com:443/oauth/access_token?x=y")
        #expect(settings.signedAs.client.identifier == "1")
        #expect(settings.signedAs.client.sharedSecret == Secret("2"))
        #expect(settings.signedAs.token == TokenCredentials(token: "3", secret: Secret("4")))
    }

    @Test("can get theirs for a user's name and password, once")
    func xAuth() throws {
        let account = try #require(
            try Self.accounts(
                "bob: {xauth: {access_token_url: https://api.example.com/t, username: bob, password: s3cr3t}}"
            ).last
        )
        guard case .xAuth(let settings) = account.source else {
            Issue.record("\(account.source)")
            return
        }
        #expect(settings.accessTokenURL == "https://api.example.com/t")
        #expect(settings.login == PasswordCredentials(username: "bob", password: Secret("s3cr3t")))
    }

    private static func threeLegged(_ more: String) throws -> ThreeLeggedSettings? {
        let account = try accounts(
            """
            carol:
              three_legged:
                request_token_url: https://api.example.com/request
                authorize_url: https://www.example.org/authorize?x=y
                access_token_url: https://api.example.com/access
                \(more)
            """
        ).last
        guard case .threeLegged(let settings)? = account?.source else { return nil }
        return settings
    }

    @Test("can get theirs from a person, whose browser may go to another host")
    func threeLegged() throws {
        let settings = try #require(try Self.threeLegged(""))
        #expect(settings.requestTokenURL == "https://api.example.com/request")
        #expect(settings.authorizeURL == "https://www.example.org/authorize?x=y")
        #expect(settings.accessTokenURL == "https://api.example.com/access")
        #expect(settings.callback == .loopback)
        #expect(settings.authorizeParameters.isEmpty)
        #expect(!settings.acceptsVersion10)
    }

    @Test(
        "take the verifier where they are told",
        arguments: [
            ("oob", ThreeLeggedSettings.Callback.outOfBand), ("loopback", .loopback),
            ("http://127.0.0.1:8090/c", .address("http://127.0.0.1:8090/c")),
            ("https://www.example.org/c", .address("https://www.example.org/c")), ("myapp://c", .address("myapp://c")),
        ]
    )
    func callback(_ text: String, _ expected: ThreeLeggedSettings.Callback) throws {
        #expect(try Self.threeLegged("callback: \(text)")?.callback == expected)
    }

    @Test("add parameters to the authorization address in their order, and accept OAuth 1.0 only when told")
    func authorizeParameters() throws {
        let settings = try #require(
            try Self.threeLegged("authorize_parameters: {scope: 'read,write', expiration: never, a: 1}")
        )
        #expect(settings.authorizeParameters.map(\.name) == ["scope", "expiration", "a"])
        #expect(settings.authorizeParameters.map(\.value) == ["read,write", "never", "1"])
        #expect(try Self.threeLegged("version: 1.0")?.acceptsVersion10 == true)
        #expect(try Self.threeLegged("version: 1.0a")?.acceptsVersion10 == false)
    }

    @Test(
        "send the secrets of an exchange nowhere else",
        arguments: [
            "http://api.example.com/", "https://evil.example/", "https://api.example.com.evil.example/",
            "https://api.example.com:8443/",
            "https://api.example.com@evil.example/", "https://evil.example/?https://api.example.com/",
            "//api.example.com/", "api.example.com",
            "https://", "https://api.example.com./", "https://api.example.com/ x", "https:api.example.com",
        ]
    )
    func elsewhere(_ url: String) {
        let good = "https://api.example.com/"
        for (first, second) in [(url, good), (good, url)] {
            let yaml = """
                \(Minimal.yaml)      alice:
                        reverse_auth:
                          request_token_url: "\(first)"
                          access_token_url: "\(second)"
                          signed_as: {consumer_key: 1, consumer_secret: 2, token: 3, token_secret: 4}
                """
            #expect(mistakes(yaml.utf8).count == 1, "\(first) \(second)")
        }
    }

    @Test("override the API's oauth1 field by field")
    func override() throws {
        let accounts = try Self.accounts(
            """
            key: {two_legged: on, oauth1: {consumer_key: other}}
            both: {two_legged: on, oauth1: {consumer_key: other, consumer_secret: s3cr3t-other}}
            way: {two_legged: on, oauth1: {signature_method: PLAINTEXT, realm: null, body_hash: always}}
            """
        )
        let (key, both, way) = (accounts[1], accounts[2], accounts[3])
        #expect(key.oauth1?.client.identifier == "other")
        #expect(key.oauth1?.client.sharedSecret == Secret("s3cr3t-consumer"))
        #expect(key.oauth1?.options == SigningOptions(realm: "Photos"))
        #expect(both.oauth1?.client.sharedSecret == Secret("s3cr3t-other"))
        #expect(way.oauth1?.client.identifier == "key")
        #expect(way.oauth1?.options == SigningOptions(signatureMethod: .plaintext, bodyHash: .always))
    }
}
