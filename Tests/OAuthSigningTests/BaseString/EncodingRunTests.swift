import Bytes
import TestSupport
import Testing

@testable import OAuthSigning

@Suite("Text is encoded the same whatever stands beside it")
struct EncodingRunTests {
    private static let samples = ["a", "Z", "0", "-", ".", "_", "~", "%20", "%2b", "%", "+", "/", "=", "é", "%zz", "^"]

    /// Texts of unreserved characters in runs of many lengths, and what stands between them.
    private static func texts(_ seed: Int) -> [String] {
        var random = SeededGenerator(seed: UInt64(seed))
        return (0..<40).map { _ in
            (0..<Int.random(in: 0..<12, using: &random)).map { _ in
                let run = String(repeating: "aB3_", count: 5).prefix(Int.random(in: 0..<20, using: &random))
                return run + samples[Int.random(in: samples.indices, using: &random)]
            }.joined()
        }
    }

    @Test("A form's values are decoded, and encoded twice", arguments: 0..<20)
    func form(_ seed: Int) throws {
        for text in Self.texts(seed) {
            var list = ParameterList(capacity: 0)
            list.append(form: Array("name=\(text)".utf8).span, origin: .form)
            let parameter = try #require(list.parameters.first)
            let decoded = PercentEncoding.decodeLeniently(Array(text.utf8).span, plusIsSpace: true)
            let expected = PercentEncoding.encode(PercentEncoding.encode(decoded))
            #expect(list.buffer.text(parameter.value) == String(decoding: expected, as: UTF8.self))
        }
    }

    @Test("What is not decoded is encoded once", arguments: 0..<20)
    func single(_ seed: Int) {
        for text in Self.texts(seed) {
            var buffer = WordBuffer(capacity: 0)
            buffer.append(encoding: Array(text.utf8).span, with: EncodingTables.single)
            #expect(buffer.takeBytes() == PercentEncoding.encode(text.utf8))
        }
    }
}
