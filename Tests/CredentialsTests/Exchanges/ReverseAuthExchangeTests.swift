import Bytes
import Credentials
import Foundation
import OAuthSigning
import Testing

@Suite("Reverse auth")
struct ReverseAuthExchangeTests {
    private struct PublishedStep1: Decodable {
        var url, body, consumerKey, consumerSecret, nonce, baseString, signature: String
        var timestamp: UInt64
    }

    @Test("Step 1 is signed as published")
    func publishedStep1() throws {
        let published = try ExchangeFixture.json("published-step-1", as: PublishedStep1.self)
        let client = ClientCredentials(
            identifier: published.consumerKey,
            sharedSecret: Secret(published.consumerSecret)
        )
        var settings = ReverseAuthScene.settings
        settings.requestTokenURL = published.url
        var exchange = ReverseAuthExchange(settings: settings, client: client)
        let request = try exchange.start(nonce: published.nonce, timestamp: published.timestamp)
        #expect(request.method == "POST")
        #expect(request.url == published.url)
        #expect(String(decoding: request.body, as: UTF8.self) == published.body)
        let authorization = try #require(request.fields.first { $0.0 == "Authorization" }?.1)
        let encoded = published.signature.replacing("=", with: "%3D").replacing("+", with: "%2B")
            .replacing("/", with: "%2F")
        #expect(authorization.contains("oauth_signature=\"\(encoded)\""))

        // And the provider's side recomputes the base string, without the published one's trailing %26.
        let verified = try SignatureVerification.verify(
            method: Array("POST".utf8).span,
            scheme: .https,
            authority: Array("api.twitter.com".utf8).span,
            target: Array("/oauth/request_token".utf8).span,
            contentType: Array("application/x-www-form-urlencoded".utf8).span,
            body: request.body.span,
            authorization: Array(authorization.utf8).span,
            clientSecret: { $0 == published.consumerKey ? Secret(published.consumerSecret) : nil },
            tokenSecret: { _ in nil }
        ).get()
        #expect(verified.baseString == published.baseString)
        #expect(!verified.baseString.hasSuffix("%26"))
    }

    @Test("Step 1 has the mode in the form body, no token and no callback, and the application's signature")
    func step1() throws {
        var scene = ReverseAuthScene()
        let request = try scene.start()
        #expect(request.method == "POST")
        #expect(request.url == ReverseAuthScene.requestTokenURL)
        #expect(request.step == "reverse auth step 1")
        #expect(request.body == Array("x_auth_mode=reverse_auth".utf8))
        #expect(request.fields.contains { $0 == ("Content-Type", "application/x-www-form-urlencoded") })
        let verified = try ReverseAuthScene.verified(request)
        #expect(verified.consumerKey == ReverseAuthScene.client.identifier)
        #expect(verified.signatureMethod == .hmacSHA1)
        #expect(verified["oauth_nonce"] == "nonce-1")
        #expect(verified["oauth_timestamp"] == "1000")
        #expect(
            Set(verified.protocolParameters.map(\.name)) == [
                "oauth_consumer_key", "oauth_nonce", "oauth_signature", "oauth_signature_method", "oauth_timestamp",
                "oauth_version",
            ]
        )
    }

    @Test("Step 2 has the application's key and step 1's text byte for byte, and the platform account's signature")
    func step2() throws {
        var scene = ReverseAuthScene()
        let request = try scene.startStep2()
        #expect(request.method == "POST")
        #expect(request.url == ReverseAuthScene.accessTokenURL)
        #expect(request.destination.authority == "api.provider.example:8443")
        #expect(request.destination.target == "/oauth/access_token?x=%2f&y")
        #expect(request.step == "reverse auth step 2")
        let pairs = String(decoding: request.body, as: UTF8.self).split(separator: "&").map { $0.split(separator: "=") }
        #expect(pairs.map(\.first) == ["x_reverse_auth_target", "x_reverse_auth_parameters"])
        #expect(pairs[0][1] == "app%20key%2B1")
        #expect(pairs[1][1].wholeMatch(of: /([A-Za-z0-9._~-]|%[0-9A-F]{2})+/) != nil)
        #expect(try decoded(String(pairs[1][1])) == ReverseAuthScene.parameters)
        let verified = try ReverseAuthScene.verified(request)
        #expect(verified.consumerKey == ReverseAuthScene.platformClient.identifier)
        #expect(verified.token == ReverseAuthScene.platformToken.token)
        #expect(verified["oauth_nonce"] == "nonce-2")
        #expect(verified["oauth_timestamp"] == "2000")
    }

    /// Percent-decoding by hand, independent of the code under test.
    private func decoded(_ text: String) throws -> [UInt8] {
        var result: [UInt8] = []
        var rest = Substring(text)
        while let first = rest.popFirst() {
            guard first == "%" else {
                result += String(first).utf8
                continue
            }
            result.append(try #require(UInt8(rest.prefix(2), radix: 16)))
            rest.removeFirst(2)
        }
        return result
    }

    @Test(
        "Step 2's answer is split at the first equals sign of each pair and percent-decoded, whatever its type",
        arguments: [
            (
                "oauth_token=t&oauth_token_secret=s&user_id=1&screen_name=a", "t", "s",
                ["user_id": "1", "screen_name": "a"]
            ),
            ("oauth_token=12%2D34%3d&oauth_token_secret=a=b==", "12-34=", "a=b==", [:]),
            ("oauth_token_secret=s%26s&name=a+b%2B&oauth_token=t\n", "t", "s&s", ["name": "a b+"]),
            ("\r\noauth_token=a+b/c&oauth_token_secret=d+e", "a+b/c", "d+e", [:]),
            ("oauth_token=a%2Bb+c%2F&oauth_token_secret=d%2b+e%2B", "a+b c/", "d+ e+", [:]),
            ("&&oauth_token=t&oauth_token_secret=s&=x&name&login=&email=%f", "t", "s", ["name": "", "login": ""]),
            ("oauth_token=t&oauth_token_secret=s&name=xTokenSecret&other=2&id=1", "t", "s", ["id": "1"]),
            ("oauth%5Ftoken=t&oauth_token_secret=s&oauth_expires_in=0&oauth_session_handle=h", "t", "s", [:]),
        ] as [(String, String, String, [String: String])]
    )
    func tokens(body: String, token: String, secret: String, attributes: [String: String]) throws {
        var scene = ReverseAuthScene()
        _ = try scene.startStep2()
        let outcome = scene.receive(200, Array(body.utf8), fields: [("Content-Type", "text/html; charset=utf-8")])
        let credential = try #require(outcome.credential, "\(outcome)")
        #expect(credential.token == .oauth1(TokenCredentials(token: token, secret: Secret(secret))))
        #expect(credential.attributes == attributes)
        #expect(credential.obtainedAt == 2_000)
    }

    @Test("What a provider adds is kept within bounds")
    func boundedAttributes() throws {
        var scene = ReverseAuthScene()
        _ = try scene.startStep2()
        let spelled = (0..<60).map { String(repeating: "_", count: $0) + "id" }
        let many = spelled.map { "&\($0)=1" }.joined()
        let body = "oauth_token=t&name=\(String(repeating: "x", count: 2_000))&oauth_token_secret=s\(many)"
        let outcome = scene.receive(200, Array(body.utf8))
        let credential = try #require(outcome.credential, "\(outcome)")
        #expect(credential.attributes.count == 24)
        #expect(credential.attributes["name"] == nil)
    }

    @Test("A response that nothing was asked for is a failure", arguments: [false, true])
    func unasked(afterTheEnd: Bool) throws {
        var scene = ReverseAuthScene()
        if afterTheEnd {
            _ = try scene.startStep2()
            _ = scene.receive(200, Array("oauth_token=t&oauth_token_secret=s".utf8))
        }
        guard case .failed(let failure) = scene.receive(200, ReverseAuthScene.parameters) else {
            Issue.record("taken")
            return
        }
        #expect(failure.step == "reverse auth")
        #expect(failure.cause == .unexpectedAnswer)
    }

    @Test("A failed exchange can be started again from the beginning")
    func restart() throws {
        var scene = ReverseAuthScene()
        _ = try scene.startStep2()
        guard case .failed = scene.receive(500, []) else {
            Issue.record("no failure")
            return
        }
        #expect(try scene.start().step == "reverse auth step 1")
        #expect(try scene.startStep2().step == "reverse auth step 2")
    }

    @Test(
        "URLs that cannot be used are a failure of the settings, before anything is sent",
        arguments: [
            "", "api.example", "ftp://api.example/", "https://", "https:///x", "https://user@api.example/",
            "https://a b/",
            "https://api.example/#f", "https://api.example:0/", "https://api.example:99999/", "https://api.example:x/",
            "https://api.example:+1/",
            "https://ä.example/", "https://[::1/", "https://a]b/", "//api.example/x", "https:/api.example",
        ]
    )
    func badURLs(url: String) throws {
        #expect(ExchangeURL(url) == nil)
        var settings = ReverseAuthScene.settings
        settings.requestTokenURL = url
        var first = ReverseAuthExchange(settings: settings, client: ReverseAuthScene.client)
        let failure = #expect(throws: ExchangeFailure.self) { try first.start(nonce: "n", timestamp: 1) }
        #expect(failure?.cause == .settings)
        #expect(failure?.step == "reverse auth step 1")

        settings = ReverseAuthScene.settings
        settings.accessTokenURL = url
        var second = ReverseAuthExchange(settings: settings, client: ReverseAuthScene.client)
        _ = try second.start(nonce: "n", timestamp: 1)
        let response = ExchangeResponse(status: 200, body: ReverseAuthScene.parameters)
        guard case .failed(let failure) = second.receive(response, nonce: "n", timestamp: 1) else {
            Issue.record("sent")
            return
        }
        #expect(failure.cause == .settings)
        #expect(failure.step == "reverse auth step 2")
    }

    @Test(
        "URLs are taken apart without rewriting",
        arguments: [
            ("https://api.example/a/%2f?b=%c3&c", URIScheme.https, "api.example", "/a/%2f?b=%c3&c"),
            ("HTTPS://API.Example:443", .https, "API.Example:443", "/"),
            ("http://[::1]:8080?x", .http, "[::1]:8080", "/?x"),
            ("https://[2001:db8::1]/x", .https, "[2001:db8::1]", "/x"),
        ]
    )
    func goodURLs(url: String, scheme: URIScheme, authority: String, target: String) throws {
        let parts = try #require(ExchangeURL(url))
        #expect(parts.scheme == scheme)
        #expect(parts.authority == authority)
        #expect(parts.target == target)
    }
}
