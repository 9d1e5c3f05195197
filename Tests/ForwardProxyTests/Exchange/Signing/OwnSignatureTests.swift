import Bytes
import Credentials
import Foundation
import NIOCore
import OAuthSigning
import Routing
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("A client's own signature that the provider refuses is compared with ours", .generousLimit, .timed)
struct OwnSignatureTests {
    private static let refusal = "HTTP/1.1 401 No\nContent-Length: 4\n\nnope"

    /// Returns the Authorization field of somebody who has the credentials.
    private static func field(
        _ scheme: URIScheme = .http,
        target: String = "/one?two=three",
        token: TokenCredentials = ProxySetup.Secrets.token,
        form: String? = nil,
        age: UInt64 = 0
    ) throws -> String {
        let signer = try Signer(client: ProxySetup.Secrets.client, token: token, options: SigningOptions())
        var scratch = SigningScratch()
        let contentType = form.map { _ in Array("application/x-www-form-urlencoded".utf8) } ?? []
        let body = Array((form ?? "").utf8)
        let request = try signer.sign(
            method: Array((form == nil ? "GET" : "POST").utf8).span,
            scheme: scheme,
            authority: Array("api.test".utf8).span,
            target: Array(target.utf8).span,
            contentType: form == nil ? nil : contentType.span,
            body: form == nil ? nil : body.span,
            nonce: Array("n1".utf8).span,
            timestamp: UInt64(Date().timeIntervalSince1970) - age,
            scratch: &scratch
        )
        return String(decoding: try #require(request.authorization), as: UTF8.self)
    }

    private static func get(_ field: String) -> String {
        "GET http://api.test/one?two=three HTTP/1.1\nHost: api.test\nAuthorization: \(field)\n\n"
    }

    /// Returns what the client is told when the provider refuses its request.
    private static func answer(
        to request: String,
        hasBody: Bool = false,
        refusal: String = refusal,
        _ configure: (inout ProxySetup) throws -> Void = { _ in }
    ) async throws -> Message {
        var got: Message?
        try await RunningProxy.withPlainUpstream {
            $0.apis[0].existingAuthorization = .keep
            try configure(&$0)
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(request)
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: hasBody)
            try await server.send(refusal)
            got = try await client.message()
            try await proxy.expectNoSecrets()
        }
        return try #require(got)
    }

    @Test("What it did differently is told")
    func tellsTheDifference() async throws {
        let got = try await Self.answer(to: Self.get(Self.field(.https)))
        #expect(got.status == 401)
        #expect(got.body == "nope")
        #expect(got.refusal?.receivedStatus == 401)
        let details = got.refusal?.details ?? ""
        #expect(details.hasPrefix("The client's own signature is wrong: The client signed"), "\(details)")
        #expect(details.contains("https"))
    }

    @Test("A right one is reported with what a provider may refuse all the same")
    func tellsRemarks() async throws {
        let got = try await Self.answer(to: Self.get(Self.field(age: 3600)))
        let details = got.refusal?.details ?? ""
        let lead = "The client's own signature is right by the credentials of api/default"
        #expect(details.hasPrefix(lead), "\(details)")
        #expect(details.contains("the provider may refuse it for this: oauth_timestamp is 36"), "\(details)")
    }

    @Test("A right one is reported with the provider's words, unless they concern no authorization")
    func tellsTheProvidersWords() async throws {
        let words = "oauth_problem=nonce_used"
        let request = try Self.get(Self.field())
        let used = try await Self.answer(
            to: request,
            refusal: "HTTP/1.1 401 No\nContent-Length: \(words.count)\n\n\(words)"
        )
        let details = used.refusal?.details ?? ""
        #expect(details.hasSuffix("the provider refuses something else: nonce_used. It said: nonce_used"), "\(details)")
        let body = #"{"error":"name is required"}"#
        let fields = "Content-Type: application/json\nContent-Length: \(body.utf8.count)"
        let other = "HTTP/1.1 400 No\n\(fields)\n\n\(body)"
        for request in try [request, Self.get(Self.field().replacing(",", with: ";"))] {
            let got = try await Self.answer(to: request, refusal: other)
            #expect(got.status == 400 && got.refusal == nil)
        }
    }

    @Test("The place where its field cannot be read is told, and no value")
    func tellsUnreadableFields() async throws {
        let field = try Self.field().replacing("oauth_nonce=\"n1\"", with: "oauth_nonce=sekret")
        let got = try await Self.answer(to: Self.get(field))
        let details = got.refusal?.details ?? ""
        #expect(details.contains("the value of oauth_nonce is not in quotation marks"), "\(details)")
        #expect(details.hasPrefix("The client's own signature: The Authorization field cannot be read at byte "))
        #expect(!details.contains("sekret"))
    }

    @Test("A form takes part in it")
    func readsForms() async throws {
        let body = "status=hello%20world"
        func request(_ form: String) throws -> String {
            "POST http://api.test/one HTTP/1.1\nHost: api.test\nAuthorization: \(try Self.field(target: "/one", form: form))\n"
                + "Content-Type: application/x-www-form-urlencoded\nContent-Length: \(body.utf8.count)\n\n\(body)"
        }
        let right = try await Self.answer(to: request(body), hasBody: true)
        #expect(
            right.refusal?.details.hasPrefix("The client's own signature is right by the credentials of api/default")
                == true
        )
        let wrong = try await Self.answer(to: request(""), hasBody: true)
        #expect(wrong.refusal?.details.hasPrefix("The client's own signature is wrong:") == true)
    }

    @Test("A wrong secret is told as that")
    func wrongSecret() async throws {
        let token = TokenCredentials(token: ProxySetup.Secrets.token.token, secret: Secret("unlike"))
        let got = try await Self.answer(to: Self.get(Self.field(token: token)))
        let details = got.refusal?.details ?? ""
        #expect(
            details.hasPrefix("The client's own signature is not what the credentials of api/default make"),
            "\(details)"
        )
    }

    @Test("Nothing is told of credentials that the proxy has not, or that the client may not use")
    func foreignCredentials() async throws {
        let token = TokenCredentials(token: "another", secret: ProxySetup.Secrets.token.secret)
        let unknown = try await Self.answer(to: Self.get(Self.field(.https, token: token)))
        #expect(unknown.status == 401)
        #expect(unknown["Proxy-Status"] == nil)
        let login = Data("app:pass".utf8).base64EncodedString()
        let request = Self.get(try Self.field(.https))
            .replacing(
                "Authorization:",
                with: "Proxy-Authorization: Basic \(login)\nParaph-Account: own\nAuthorization:"
            )
        let foreign = try await Self.answer(to: request) { setup in
            setup.apis[0].accounts.append(
                AccountSettings(name: "own", source: .issued(TokenCredentials(token: "t", secret: Secret("s"))))
            )
            setup.access = AccessPolicy(clients: [
                Client(name: "app", accounts: ["own"]) { $0.count == 4 }
            ])
        }
        #expect(foreign.status == 401)
        #expect(foreign["Proxy-Status"] == nil)
    }

    @Test("The log says what, without a word of the request")
    func logs() async throws {
        try await RunningProxy.withPlainUpstream {
            $0.apis[0].existingAuthorization = .keep
        } _: { proxy, upstream in
            let client = try await proxy.connect()
            try await client.send(Self.get(Self.field(.https)))
            let server = try await upstream.accept()
            _ = try await server.message(hasBody: false)
            try await server.send(Self.refusal)
            _ = try await client.message()
            let line = try await proxy.accessLogLine()
            #expect(line["diagnosis"] as? String == "own_signature")
            #expect(line["details"] as? String == "The client's own signature is wrong: scheme")
        }
    }
}
