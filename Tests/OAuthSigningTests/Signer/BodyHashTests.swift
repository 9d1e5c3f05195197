import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Bodies")
struct BodyHashTests {
    private static let form = BodyHashCase.form

    @Test("The policy says which bodies are hashed, and the provider agrees", arguments: BodyHashCase.all)
    func policy(_ body: BodyHashCase) throws {
        var request = try SignableRequest(
            options: SigningOptions(signatureMethod: .hmacSHA256, bodyHash: body.policy)
        )
        request.contentType = body.contentType.map { Array($0.utf8) }
        request.body = body.body.map { Array($0.utf8) }
        let explanation = try request.explain()
        #expect(explanation.normalizedParameters.contains("oauth_body_hash=") == body.isHashed)
        #expect(explanation.authorization.contains("oauth_body_hash=\"") == body.isHashed)
        let signsForm = body.contentType == Self.form && body.policy != .always
        #expect(explanation.parameters.contains { $0.origin == .form } == signsForm)

        var sent = request.applying(explanation.signed)
        #expect(throws: Never.self) { try sent.verify(request.credentials).get() }
        sent.body = Array("another=body".utf8)
        guard body.isHashed else { return }
        #expect(throws: VerificationFailure.bodyHashInvalid) { try sent.verify(request.credentials).get() }
    }

    @Test("Only a body that takes part is collected")
    func needsBody() {
        func needs(_ options: SigningOptions, _ contentType: String?, hasBody: Bool = true) -> Bool {
            let contentType = contentType.map { Array($0.utf8) }
            return options.needsBody(contentType: contentType?.span, hasBody: hasBody)
        }
        #expect(needs(SigningOptions(), Self.form))
        #expect(!needs(SigningOptions(), Self.form, hasBody: false))
        #expect(!needs(SigningOptions(), "application/json"))
        #expect(!needs(SigningOptions(), nil))
        #expect(needs(SigningOptions(bodyHash: .on), "application/json"))
        #expect(needs(SigningOptions(bodyHash: .on), nil))
        #expect(needs(SigningOptions(bodyHash: .always), Self.form))
        #expect(!needs(SigningOptions(signatureMethod: .plaintext), Self.form))
        #expect(needs(SigningOptions(signatureMethod: .plaintext, placement: .body), Self.form))
    }

    @Test(
        "The form media type is recognized in any case and with any parameters",
        arguments: [
            "application/x-www-form-urlencoded", "Application/X-WWW-Form-URLencoded",
            " application/x-www-form-urlencoded\t",
            "application/x-www-form-urlencoded;charset=UTF-8", "application/x-www-form-urlencoded ; charset=UTF-8",
        ]
    )
    func form(_ contentType: String) {
        let bytes = Array(contentType.utf8)
        #expect(isFormMediaType(bytes.span) as Bool)
    }

    @Test(
        "Other media types are no forms",
        arguments: [
            "", "application/json", "application/x-www-form-urlencodedx", "application/x-www-form-urlencode",
            "multipart/form-data; boundary=X", "text/plain; application/x-www-form-urlencoded",
            "application/x-www-form-urlencoded, text/plain",
        ]
    )
    func notForm(_ contentType: String) {
        let bytes = Array(contentType.utf8)
        #expect(!isFormMediaType(bytes.span) as Bool)
    }
}
