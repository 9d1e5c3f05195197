/// A transaction: changes keys if all that it compares is as expected, and reads keys.
struct EtcdTransaction: EtcdRequest {
    static let path = "/v3/kv/txn"

    private let compare: [Comparison]
    private let success: [Operation]
    private let failure: [Operation]

    /// - Parameters:
    ///   - reading: The keys that ``Response/found`` has, where the others were changed.
    ///   - otherwiseReading: The keys that it has where nothing was.
    init(
        if comparisons: [Comparison],
        _ changes: [Change],
        reading: [EtcdBytes] = [],
        otherwiseReading: [EtcdBytes]
    ) {
        compare = comparisons
        success = changes.map(\.operation) + reading.map { .range(EtcdRange(key: $0)) }
        failure = otherwiseReading.map { .range(EtcdRange(key: $0)) }
    }

    /// A comparison of what etcd has with what is expected.
    struct Comparison: Encodable {
        private let target: String
        private let result = "EQUAL"
        private let key: EtcdBytes
        private var rangeEnd: EtcdBytes?
        private var modRevision: EtcdNumber?
        private var createRevision: EtcdNumber?

        /// The key was last written at a revision; 0: it is not there.
        static func written(_ key: EtcdBytes, at revision: EtcdNumber) -> Comparison {
            Comparison(target: "MOD", key: key, modRevision: revision)
        }

        /// The key is there since a revision.
        static func created(_ key: EtcdBytes, at revision: EtcdNumber) -> Comparison {
            Comparison(target: "CREATE", key: key, createRevision: revision)
        }

        /// The condition that there is no key from one up to another, which is not among them.
        static func none(from key: EtcdBytes, to end: EtcdBytes) -> Comparison {
            Comparison(target: "CREATE", key: key, rangeEnd: end, createRevision: 0)
        }

        private enum CodingKeys: String, CodingKey {
            case target, result, key
            case rangeEnd = "range_end"
            case modRevision = "mod_revision"
            case createRevision = "create_revision"
        }
    }

    enum Change {
        /// - Parameter lease: The lease with whose end the key goes away.
        case put(EtcdBytes, at: EtcdBytes, lease: EtcdNumber? = nil)
        case delete(EtcdBytes)

        fileprivate var operation: Operation {
            switch self {
            case .put(let value, let key, let lease): .put(Put(key: key, value: value, lease: lease))
            case .delete(let key): .delete(Deletion(key: key))
            }
        }
    }

    fileprivate struct Put: Encodable {
        let key: EtcdBytes
        let value: EtcdBytes
        let lease: EtcdNumber?
    }

    fileprivate struct Deletion: Encodable {
        let key: EtcdBytes
    }

    fileprivate enum Operation: Encodable {
        case put(Put)
        case delete(Deletion)
        case range(EtcdRange)

        private enum CodingKeys: String, CodingKey {
            case put = "request_put"
            case delete = "request_delete_range"
            case range = "request_range"
        }

        func encode(to encoder: any Encoder) throws {
            var container = encoder.container(keyedBy: CodingKeys.self)
            switch self {
            case .put(let put): try container.encode(put, forKey: .put)
            case .delete(let deletion): try container.encode(deletion, forKey: .delete)
            case .range(let range): try container.encode(range, forKey: .range)
            }
        }
    }

    struct Response: Decodable, Sendable {
        let header: EtcdHeader
        private let succeeded: Bool?
        private let responses: [OperationResponse]?

        private struct OperationResponse: Decodable {
            let range: EtcdRange.Response?

            enum CodingKeys: String, CodingKey {
                case range = "response_range"
            }
        }

        /// Indicates whether all was as expected, and the keys were changed.
        var isCarriedOut: Bool { succeeded ?? false }

        /// The values of the keys that were read, each nil when it is not there.
        var found: [EtcdKeyValue?] { responses?.compactMap(\.range).map { $0.kvs?.first } ?? [] }
    }
}
