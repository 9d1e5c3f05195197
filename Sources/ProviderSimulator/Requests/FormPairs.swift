import Bytes
import OAuthSigning

/// The pairs of a query or of a form body (`application/x-www-form-urlencoded`), decoded, in their order.
package struct FormPairs: Sendable {
    package let pairs: [(name: String, value: String)]

    package init(_ bytes: some Collection<UInt8>) {
        pairs = WrittenPair.pairs(of: Array(bytes)).map { (Self.decode($0.name), Self.decode($0.value)) }
    }

    /// The value of a name that occurs exactly once.
    package subscript(name: String) -> String? {
        let values = pairs.filter { $0.name == name }.map(\.value)
        return values.count == 1 ? values[0] : nil
    }

    /// Pairs as bytes of a form body.
    static func encode(_ pairs: [(name: String, value: String)]) -> [UInt8] {
        Array(pairs.map { "\(encode($0.name))=\(encode($0.value))" }.joined(separator: "&").utf8)
    }

    private static func encode(_ text: String) -> String {
        String(decoding: PercentEncoding.encode(text.utf8), as: UTF8.self)
    }

    /// A percent sign that introduces no byte stands for itself.
    static func decode(_ bytes: some Collection<UInt8>) -> String {
        String(decoding: PercentEncoding.decodeLeniently(Array(bytes).span, plusIsSpace: true), as: UTF8.self)
    }
}
