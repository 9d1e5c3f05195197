import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Signer options")
struct SignerOptionsTests {
    private static let form = Array("application/x-www-form-urlencoded".utf8)

    @Test("Without a token none is sent, or an empty one when that is asked for")
    func emptyToken() throws {
        let without = try SignableRequest(token: nil).explain()
        #expect(!without.authorization.contains("oauth_token") && !without.baseString.contains("oauth_token"))
        let empty = try SignableRequest(token: nil, options: SigningOptions(sendsEmptyToken: true)).explain()
        #expect(empty.authorization.contains(", oauth_token=\"\", "))
        #expect(empty.normalizedParameters.contains("&oauth_token=&"))
        // Both keys end in the separator alone.
        let plain = SigningOptions(signatureMethod: .plaintext, sendsEmptyToken: true)
        #expect(try SignableRequest(token: nil, options: plain).explain().signature == "secret&")
    }

    @Test("The version is sent and signed, or neither")
    func version() throws {
        let with = try SignableRequest().explain()
        #expect(with.authorization.hasSuffix(", oauth_version=\"1.0\""))
        #expect(with.normalizedParameters.hasSuffix("&oauth_version=1.0"))
        let without = try SignableRequest(options: SigningOptions(includesVersion: false)).explain()
        #expect(!without.authorization.contains("oauth_version") && !without.baseString.contains("oauth_version"))
    }

    @Test(
        "The realm is sent first, as a quoted-string, and never signed",
        arguments: [
            ("Photos", #"OAuth realm="Photos", "#), ("", #"OAuth realm="", "#),
            (#"a"b\c"#, #"OAuth realm="a\"b\\c", "#), ("Zoë, x=y", #"OAuth realm="Zoë, x=y", "#),
        ]
    )
    func realm(_ realm: String, _ opening: String) throws {
        let request = try SignableRequest(options: SigningOptions(realm: realm))
        let explanation = try request.explain()
        #expect(explanation.authorization.hasPrefix(opening + "oauth_consumer_key="))
        #expect(try explanation.baseString == SignableRequest().explain().baseString)
        let verified = try request.applying(explanation.signed).verify(request.credentials).get()
        #expect(verified.realm == realm)
    }

    @Test("A realm that could end the field is refused", arguments: ["a\r\nX: y", "a\nb", "\u{0}", "a\u{7f}"])
    func realmInjection(_ realm: String) {
        #expect(throws: SigningError.realmNotSendable) {
            try SignableRequest(options: SigningOptions(realm: realm))
        }
    }

    @Test(
        "Credentials of any text make one well-formed field",
        arguments: ["a\r\nX: y", "\"", "a\\", "é日本", " ,=%", "\u{0}"]
    )
    func anyCredentials(_ text: String) throws {
        var request = try SignableRequest(
            client: ClientCredentials(identifier: text, sharedSecret: Secret(text)),
            token: TokenCredentials(token: text, secret: Secret(text)),
            options: SigningOptions(signatureMethod: .plaintext)
        )
        request.nonce = Array(text.utf8)
        request.additional = [ProtocolParameter(name: text, value: text)]
        let signed = try request.sign()
        let field = try #require(signed.authorization)
        #expect(field.allSatisfy { (0x20...0x7e).contains($0) })
        #expect(field.count { $0 == UInt8(ascii: "\"") } == 16)
        let verified = try request.applying(signed).verify(request.credentials).get()
        #expect(verified.consumerKey == text && verified.token == text && verified["oauth_nonce"] == text)
        #expect(verified[text] == text)
    }

    @Test("An RSA method without a key is refused", arguments: SignatureMethod.allCases.filter(\.isRSA))
    func missingKey(_ method: SignatureMethod) {
        #expect(throws: SigningError.privateKeyMissing) {
            try SignableRequest(options: SigningOptions(signatureMethod: method))
        }
    }

    @Test("What the placement cannot do is refused")
    func placement() throws {
        #expect(throws: SigningError.realmNeedsHeader) {
            try SignableRequest(options: SigningOptions(realm: "r", placement: .query))
        }
        #expect(throws: SigningError.bodyHashInBody) {
            try SignableRequest(options: SigningOptions(bodyHash: .always, placement: .body))
        }
        var request = try SignableRequest(options: SigningOptions(placement: .body))
        #expect(throws: SigningError.formBodyRequired) { try request.sign() }
        request.contentType = Array("application/json".utf8)
        request.body = Array("{}".utf8)
        #expect(throws: SigningError.formBodyRequired) { try request.sign() }
        request.contentType = Self.form
        request.body = nil
        #expect(try request.sign().body.text?.hasPrefix("oauth_consumer_key=key&") == true)
        request = try SignableRequest(options: SigningOptions(placement: .query))
        request.target = Array("*".utf8)
        #expect(throws: SigningError.targetTakesNoQuery) { try request.sign() }
    }

    @Test(
        "The query is added to, and what was there stays as it was",
        arguments: [
            ("", "/?"), ("/", "/?"), ("/a", "/a?"), ("?", "/?"), ("/?", "/?"), ("?q", "/?q&"),
            ("/a?q=%zz", "/a?q=%zz&"),
            ("/a?q&", "/a?q&"), ("/a?b?c", "/a?b?c&"),
        ]
    )
    func query(_ target: String, _ opening: String) throws {
        var request = try SignableRequest(options: SigningOptions(placement: .query))
        request.target = Array(target.utf8)
        #expect(try request.sign().target.text?.hasPrefix(opening + "oauth_consumer_key=key&") == true)
    }

    @Test(
        "A parameter that is added must not be there already",
        arguments: ["oauth_nonce", "oauth_signature", "oauth_token", "oauth%5fversion", "oauth_consumer_key"]
    )
    func repeated(_ name: String) throws {
        let expected = SigningError.repeatedParameter(name: name.replacing("%5f", with: "_"))
        var request = try SignableRequest()
        request.target = Array("/?a=b&\(name)=x".utf8)
        #expect(throws: expected) { try request.sign() }
        #expect(try request.explain().repeatedParameters.count == 1)
        request.target = Array("/".utf8)
        request.contentType = Self.form
        request.body = Array("\(name)".utf8)
        #expect(throws: expected) { try request.sign() }
    }

    @Test("A protocol parameter that the client sends itself is signed as any other")
    func ownProtocolParameter() throws {
        var request = try SignableRequest(token: nil)
        request.target = Array("/?oauth_callback=oob&oauth_x=1".utf8)
        #expect(try request.explain().normalizedParameters.hasPrefix("oauth_callback=oob&oauth_consumer_key="))
        _ = try request.sign()
        request.additional = [ProtocolParameter(name: "oauth_callback", value: "oob")]
        #expect(throws: SigningError.repeatedParameter(name: "oauth_callback")) { try request.sign() }
    }

    @Test(
        "Further parameters with a meaning of their own are refused",
        arguments: ["", "realm", "oauth_signature", "oauth_nonce", "oauth_version"]
    )
    func furtherParameters(_ name: String) throws {
        var request = try SignableRequest()
        request.additional = [ProtocolParameter(name: name, value: "x")]
        #expect(throws: SigningError.self) { try request.sign() }
        request.additional = [
            ProtocolParameter(name: "oauth_z", value: ""), ProtocolParameter(name: "oauth_z", value: ""),
        ]
        #expect(throws: SigningError.repeatedParameter(name: "oauth_z")) { try request.sign() }
    }

    @Test("Every mistake has a sentence of its own")
    func sentences() {
        let all: [SigningError] = [
            .privateKeyMissing, .privateKeyUnreadable, .privateKeyTooSmall, .signatureFailed, .realmNotSendable,
            .realmNeedsHeader, .bodyHashInBody, .formBodyRequired, .targetTakesNoQuery, .repeatedParameter(name: "n"),
            .parameterNotSendable(name: "n"),
        ]
        #expect(Set(all.map(\.description)).count == all.count)
        #expect(all.allSatisfy { $0.description.hasSuffix(".") })
    }
}
