import FoundationEssentials

/// Bytes as the JSON gateway of etcd writes them: in base64 (RFC 4648, section 4).
struct EtcdBytes: Codable, Sendable, Hashable {
    var data: Data

    init(_ data: Data) { self.data = data }

    init(_ text: String) { data = Data(text.utf8) }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        guard let data = Data(base64Encoded: try container.decode(String.self)) else {
            throw DecodingError.dataCorruptedError(in: container, debugDescription: "not base64")
        }
        self.data = data
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode(data.base64EncodedString())
    }
}
