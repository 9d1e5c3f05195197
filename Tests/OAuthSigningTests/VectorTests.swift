import Bytes
import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Published facts")
struct VectorTests {
    @Test("All 220 facts are read, and each is of a kind that a test below covers")
    func noneIsSkipped() {
        #expect(VectorFile.all.count == 220)
        #expect(Set(VectorFile.all.map(\.id)).count == 220)
        let counts = Vector.Kind.allCases.map { VectorFile.of($0).count }
        #expect(counts == [105, 25, 31, 20, 30, 9])
    }

    @Test("Bytes are percent-encoded as RFC 5849, section 3.6 says, and back", arguments: VectorFile.of(.encode))
    func encode(_ vector: Vector) {
        let encoded = PercentEncoding.encode(vector.inputBytes)
        #expect(String(decoding: encoded, as: UTF8.self) == vector.expected.encoded)
        #expect(PercentEncoding.decodeLeniently(encoded.span) == vector.inputBytes)
    }

    @Test("Parameters are normalized as RFC 5849, section 3.4.1.3.2 says", arguments: VectorFile.of(.normalize, .rfc))
    func normalize(_ vector: Vector) {
        #expect(Self.normalized(vector.inputBytes) == vector.expected.normalizedParams)
    }

    @Test(
        "Where published parameters are normalized otherwise, RFC 5849, section 3.4.1.3.2 is followed",
        arguments: VectorFile.of(.normalize, .deviates)
    )
    func normalizeAgainstPublished(_ vector: Vector) {
        let normalized = Self.normalized(vector.inputBytes)
        #expect(normalized == vector.expected.normalizedParams)
        #expect(normalized != vector.published?["normalized_params"])
    }

    @Test("The base string URI is that of RFC 5849, section 3.4.1.2", arguments: VectorFile.of(.baseURI))
    func baseURI(_ vector: Vector) throws {
        let input = vector.inputBytes
        let parts = AbsoluteURI(input.span)
        let uri = try #require(parts)
        let method = Array("GET".utf8)
        let base = BaseString(
            method: method.span,
            scheme: uri.scheme.span,
            authority: uri.authority.span,
            target: uri.target.span,
            list: ParameterList()
        )
        #expect(base.uri == vector.expected.baseUri)
    }

    @Test("A base string is signed with the key of RFC 5849, sections 3.4.2 to 3.4.4", arguments: VectorFile.of(.sign))
    func sign(_ vector: Vector) throws {
        let credentials = try #require(vector.credentials)
        let method = try #require(vector.signatureMethod.flatMap(SignatureMethod.init(rawValue:)))
        func key(_ method: SignatureMethod) throws -> SigningKey {
            try SigningKey(
                method: method,
                clientSecret: Secret(credentials.consumerSecret ?? ""),
                tokenSecret: Secret(credentials.tokenSecret ?? ""),
                privateKey: credentials.privateKey
            )
        }
        #expect(vector.input == vector.expected.baseString)
        let signature = try key(method).signature(of: vector.inputBytes[...])
        #expect(String(decoding: signature, as: UTF8.self) == vector.expected.signature)
        if let expected = vector.expected.signingKey {
            #expect(String(decoding: try key(.plaintext).signature(of: []), as: UTF8.self) == expected)
        }
    }

    @Test("A body is hashed with the hash of the signature method", arguments: VectorFile.of(.bodyHash))
    func bodyHash(_ vector: Vector) throws {
        let method = try #require(vector.signatureMethod.flatMap(SignatureMethod.init(rawValue:)))
        #expect(BodyHash.text(of: vector.inputBytes.span, for: method) == vector.expected.bodyHash)
    }

    private static func normalized(_ form: [UInt8]) -> String {
        var list = ParameterList()
        list.append(form: form.span, origin: .query)
        let nothing: [UInt8] = []
        let base = BaseString(
            method: nothing.span,
            scheme: nothing.span,
            authority: nothing.span,
            target: nothing.span,
            list: list
        )
        return base.explainedParameters.map { "\($0.name)=\($0.value)" }.joined(separator: "&")
    }
}
