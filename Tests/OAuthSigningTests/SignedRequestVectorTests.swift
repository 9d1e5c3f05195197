import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Published requests")
struct SignedRequestVectorTests {
    @Test("A published request is signed as published", arguments: VectorFile.of(.request, .rfc))
    func conforming(_ vector: Vector) throws {
        let explanation = try expectRFC(vector)
        guard vector.canSign, let published = vector.published?["signature"] else { return }
        #expect(explanation.signature == published)
    }

    @Test(
        "Where a published request is signed otherwise, RFC 5849 is followed",
        arguments: VectorFile.of(.request, .deviates)
    )
    func deviating(_ vector: Vector) throws {
        let explanation = try expectRFC(vector)
        let ours = [
            "base_string": explanation.baseString, "signature": explanation.signature,
            "base_uri": explanation.baseStringURI, "normalized_params": explanation.normalizedParameters,
        ]
        let published = try #require(vector.published)
        #expect(published.contains { key, value in ours[key] != nil && ours[key] != value }, "\(published)")
    }

    @Test(
        "A request that was signed is verified on the bytes that are sent",
        arguments: VectorFile.of(.request).filter(\.isCompletelySigned)
    )
    func verified(_ vector: Vector) throws {
        let request = try #require(try SignableRequest(vector))
        let sent = request.applying(try request.sign())
        let verified = try sent.verify(request.credentials).get()
        #expect(verified.baseString == vector.expected.baseString)
        #expect(verified.consumerKey == vector.credentials?.consumerKey)
    }

    /// Everything that the fact has a value for.
    private func expectRFC(_ vector: Vector) throws -> SigningExplanation {
        let request = try #require(try SignableRequest(vector))
        let explanation = try request.explain()
        let expected = vector.expected
        #expect(explanation.baseStringURI == expected.baseUri)
        #expect(explanation.normalizedParameters == expected.normalizedParams)
        #expect(explanation.baseString == expected.baseString)
        guard vector.canSign else {
            // The source names no secret or no method: there is no signature to expect.
            #expect(expected.signature == nil)
            return explanation
        }
        #expect(explanation.signature == expected.signature)
        let signed = explanation.signed
        switch request.signer.options.placement {
        case .header:
            #expect(explanation.authorization == expected.authorizationHeader)
            #expect(signed.target == nil && signed.body == nil)
        case .query:
            let separator = request.target.contains(UInt8(ascii: "?")) ? "&" : "?"
            #expect(signed.target.text == request.target[...].text + separator + (expected.signedParams ?? ""))
            #expect(signed.authorization == nil && signed.body == nil)
        case .body:
            #expect(signed.body.text == (request.body ?? [])[...].text + "&" + (expected.signedParams ?? ""))
            #expect(signed.authorization == nil && signed.target == nil)
        }
        return explanation
    }
}

extension [UInt8]? {
    var text: String? { map { String(decoding: $0, as: UTF8.self) } }
}

extension ArraySlice<UInt8> {
    var text: String { String(decoding: self, as: UTF8.self) }
}
