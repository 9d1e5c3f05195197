import Bytes
import FoundationEssentials

/// Bytes as the JSON gateway of etcd writes them: in base64 (RFC 4648, section 4).
struct EtcdBytes: Codable, Sendable, Hashable {
    var data: Data

    init(_ data: Data) { self.data = data }

    init(_ text: String) { data = Data(text.utf8) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        let text = try container.decode(String.self)
        guard let bytes = Base64.decode(text.utf8Span.span, allowsSpareBits: true) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64")
        }
        data = Data(bytes)
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        let bytes = Array(data)
        try container.encode(String(decoding: Base64.encode(bytes.span), as: UTF8.self))
    }
}
