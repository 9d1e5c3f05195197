import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Verification")
struct VerificationTests {
    /// A signed GET of /?a=1, to be spoilt.
    private static func sent(_ options: SigningOptions = SigningOptions()) throws -> SignableRequest {
        var request = try SignableRequest(options: options)
        request.target = Array("/?a=1".utf8)
        return request.applying(try request.sign())
    }

    @Test("A signed request tells who and what")
    func success() throws {
        let request = try Self.sent()
        let verified = try request.verify(request.credentials).get()
        #expect(verified.consumerKey == "key" && verified.token == "token")
        #expect(verified.signatureMethod == .hmacSHA1)
        #expect(verified["oauth_timestamp"] == "137131200")
        #expect(verified.protocolParameters.map(\.name).contains("oauth_signature"))
        #expect(verified.baseString.hasPrefix("GET&https%3A%2F%2Fapi.example.com%2F&a%3D1%26oauth_consumer_key"))
    }

    @Test("A changed request is refused with the base string that was expected")
    func changed() throws {
        var request = try Self.sent()
        request.target = Array("/?a=2".utf8)
        guard case .failure(.signatureInvalid(let base)) = request.verify(request.credentials) else {
            Issue.record("accepted")
            return
        }
        #expect(base.contains("a%3D2"))
        request.target = Array("/?a=1".utf8)
        for change in [\SignableRequest.method, \.authority] {
            var changed = request
            changed[keyPath: change].append(UInt8(ascii: "x"))
            #expect(throws: VerificationFailure.self) { try changed.verify(request.credentials).get() }
        }
        request.scheme = Array("http".utf8)
        #expect(throws: VerificationFailure.self) { try request.verify(request.credentials).get() }
    }

    @Test("Unknown credentials and wrong secrets are refused")
    func credentials() throws {
        let request = try Self.sent()
        var known = request.credentials
        known.client.identifier = "other"
        #expect(throws: VerificationFailure.consumerKeyUnknown) { try request.verify(known).get() }
        known = request.credentials
        known.token?.token = "other"
        #expect(throws: VerificationFailure.tokenRejected) { try request.verify(known).get() }
        known = request.credentials
        known.client.sharedSecret = Secret("other")
        #expect(throws: VerificationFailure.self) { try request.verify(known).get() }
        known = request.credentials
        known.token?.secret = Secret("other")
        #expect(throws: VerificationFailure.self) { try request.verify(known).get() }
    }

    @Test(
        "Each field that is not as it must be has its own answer",
        arguments: [
            (#", oauth_version="1.0""#, #", oauth_version="2.0""#, VerificationFailure.versionRejected),
            ("HMAC-SHA1", "HMAC-MD5", .signatureMethodRejected),
            ("HMAC-SHA1", "RSA-SHA1", .signatureMethodRejected),
            ("oauth_nonce", "oauth_n", .parameterAbsent(name: "oauth_nonce")),
            ("oauth_consumer_key", "oauth_c", .parameterAbsent(name: "oauth_consumer_key")),
            ("oauth_signature=", "oauth_s=", .parameterAbsent(name: "oauth_signature")),
            ("137131200", "soon", .parameterRejected(name: "oauth_timestamp")),
            ("137131200", "+1", .parameterRejected(name: "oauth_timestamp")),
            ("oauth_token", "oauth_nonce", .parameterRepeated(name: "oauth_nonce")),
            ("OAuth ", "Bearer ", .notSigned),
            (#"", oauth_token"#, #"; oauth_token"#, .notSigned),
            (#"oauth_token=""#, "oauth_token=", .notSigned),
        ]
    )
    func fields(_ original: String, _ replacement: String, _ failure: VerificationFailure) throws {
        var request = try Self.sent()
        let field = try #require(request.authorization.text).replacing(original, with: replacement)
        request.authorization = Array(field.utf8)
        #expect(throws: failure) { try request.verify(request.credentials).get() }
    }

    @Test("A field that is written otherwise means the same")
    func spelling() throws {
        var request = try Self.sent()
        let field = try #require(request.authorization.text)
        let other = field.replacing("OAuth ", with: "oauth   ReAlM=\"x\\\"y\",").replacing(", ", with: " ,\t")
        request.authorization = Array(other.utf8)
        #expect(try request.verify(request.credentials).get().realm == "x\"y")
    }

    @Test("A request without any signature is told so")
    func unsigned() throws {
        var request = try Self.sent()
        request.authorization = nil
        let missing = VerificationFailure.parameterAbsent(name: "oauth_consumer_key")
        #expect(throws: missing) { try request.verify(request.credentials).get() }
    }

    @Test("A parameter in the header and in the query is one too many")
    func repeated() throws {
        var request = try Self.sent()
        request.target = Array("/?a=1&oauth_nonce=x".utf8)
        let failure = VerificationFailure.parameterRepeated(name: "oauth_nonce")
        #expect(throws: failure) { try request.verify(request.credentials).get() }
    }
}
