import Bytes
import SigningVectors
import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Recipe")
struct SigningRecipeTests {
    @Test("Without a deviation a recipe signs what the signer signs", arguments: VectorFile.of(.request))
    func reference(_ vector: Vector) throws {
        let request = try #require(try SignableRequest(vector))
        let explanation = try request.explain()
        let parts = try ComparedRequest(
            ExplainableRequest(
                method: String(decoding: request.method, as: UTF8.self),
                url: try #require(vector.request?.url),
                host: vector.request?.hostHeader,
                contentType: vector.request?.contentType,
                body: request.body
            )
        )
        let sent = explanation.parameters.filter { $0.origin == .protocol }.map { parameter in
            RecipeParameter(
                protocolName: PercentEncoding.decodeLeniently(Array(parameter.name.utf8).span),
                value: PercentEncoding.decodeLeniently(Array(parameter.value.utf8).span)
            )
        }
        let recipe = SigningRecipe(
            parts,
            protocolParameters: sent,
            key: KeyRecipe(
                consumerSecret: request.credentials.client.sharedSecret,
                tokenSecret: request.credentials.token?.secret
            ),
            signatureMethod: request.signer.options.signatureMethod
        )
        #expect(String(decoding: recipe.baseString, as: UTF8.self) == explanation.baseString)
        if let key = vector.expected.signingKey { #expect(recipe.key.text == Secret(key)) }
    }

    @Test("The protocol parameters of a request are those that it is explained with")
    func protocolParameters() throws {
        var request = SignatureComparisonTests.right.request
        (request.nonce, request.timestamp) = ("n", "1")
        request.body = Array("{}".utf8)
        request.options.bodyHash = .on
        request.extra = [ProtocolParameter(name: "oauth_callback", value: "oob")]
        let explained = try request.explain().parameters.filter { $0.origin == .protocol }.map(\.name)
        #expect(request.protocolParameters.map(\.name).sorted() == explained)
        #expect(explained.count == 8)
    }

    @Test("Parameters in the query or in the form are taken out of the request")
    func taken() throws {
        let query = "oauth_signature=x%2B&a=1&oauth_token=t+k&&b"
        var request = ExplainableRequest(method: "GET", url: "https://h:8/r?" + query + "#f")
        let sent = try SentSignature.take(from: &request, authorization: nil)
        #expect(request.url == "https://h:8/r?a=1&b")
        #expect(sent.protocolFindings.isEmpty)
        let odd = #"OAuth oauth_signature_method="SHA1", oauth_version="2.0", oauth_nonce="", oauth_signature="x""#
        let causes = try SentSignature(authorization: Array(odd.utf8))?.protocolFindings.map(\.cause)
        #expect(causes == [.signatureMethod, .version, .nonce])
        #expect(sent.token == "t k" && String(decoding: sent.signature, as: UTF8.self) == "x+")

        request = ExplainableRequest(
            method: "POST",
            url: "https://h/r",
            contentType: "application/x-www-form-urlencoded",
            body: Array(query.utf8)
        )
        _ = try SentSignature.take(from: &request, authorization: nil)
        #expect(request.url == "https://h/r" && request.body == Array("a=1&b".utf8))
        request.contentType = nil
        #expect(throws: ComparisonError.signatureAbsent) { try SentSignature.take(from: &request, authorization: nil) }
        let bare = AuthorizationFieldFault(kind: .bareToken, position: 7, parameter: nil)
        for (field, error) in [("Basic x", ComparisonError.signatureAbsent), ("OAuth x", .fieldMalformed(bare))] {
            #expect(throws: error) { try SentSignature.take(from: &request, authorization: Array(field.utf8)) }
        }
    }
}
