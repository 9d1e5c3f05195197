/// A number of 64 bits as the JSON gateway of etcd writes it: in quotation marks, since a number of JSON may have lost
/// its last digits on the way.
struct EtcdNumber: Codable, Sendable, Hashable {
    var value: Int64

    init(_ value: Int64) { self.value = value }

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if let text = try? container.decode(String.self), let value = Int64(text) {
            self.value = value
        } else {
            value = try container.decode(Int64.self)
        }
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        try container.encode("\(value)")
    }
}

extension EtcdNumber: ExpressibleByIntegerLiteral {
    init(integerLiteral value: Int64) { self.init(value) }
}
