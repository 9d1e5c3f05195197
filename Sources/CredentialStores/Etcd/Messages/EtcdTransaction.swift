/// A transaction that writes a key if nobody has written it since it was read, and reads it otherwise.
struct EtcdTransaction: EtcdRequest {
    static let path = "/v3/kv/txn"

    private let compare: [Compare]
    private let success: [Operation]
    private let failure: [Operation]

    /// - Parameter revision: The one at which the key was last written; 0: it is not there.
    init(putting value: EtcdBytes, at key: EtcdBytes, ifWrittenAt revision: EtcdNumber) {
        compare = [Compare(key: key, modRevision: revision)]
        success = [.put(Put(key: key, value: value))]
        failure = [.range(EtcdRange(key: key))]
    }

    private struct Compare: Encodable {
        let target = "MOD"
        let result = "EQUAL"
        let key: EtcdBytes
        let modRevision: EtcdNumber

        enum CodingKeys: String, CodingKey {
            case target, result, key
            case modRevision = "mod_revision"
        }
    }

    private struct Put: Encodable {
        let key: EtcdBytes
        let value: EtcdBytes
    }

    private enum Operation: Encodable {
        case put(Put)
        case range(EtcdRange)

        private enum CodingKeys: String, CodingKey {
            case put = "request_put"
            case range = "request_range"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .put(let put): try container.encode(put, forKey: .put)
            case .range(let range): try container.encode(range, forKey: .range)
            }
        }
    }

    struct Response: Decodable, Sendable {
        private let succeeded: Bool?
        private let responses: [OperationResponse]?

        private struct OperationResponse: Decodable {
            let range: EtcdRange.Response?

            enum CodingKeys: String, CodingKey {
                case range = "response_range"
            }
        }

        /// Indicates whether the key was written.
        var isWritten: Bool { succeeded ?? false }
        /// What the key has, where it was not written; nil: it is not there.
        var found: EtcdKeyValue? { responses?.first?.range?.kvs?.first }
    }
}
