/// The watching of the keys in a range, from a revision on. It is answered by a stream of responses, each on a line of
/// its own.
struct EtcdWatch: EtcdRequest {
    static let path = "/v3/watch"

    private let create: Creation

    var key: EtcdBytes { create.key }
    /// The last revision before those that are watched.
    var revisionBefore: Int64 { create.startRevision.value - 1 }

    private enum CodingKeys: String, CodingKey {
        case create = "create_request"
    }

    private struct Creation: Encodable {
        let key: EtcdBytes
        let rangeEnd: EtcdBytes
        let startRevision: EtcdNumber

        enum CodingKeys: String, CodingKey {
            case key
            case rangeEnd = "range_end"
            case startRevision = "start_revision"
        }
    }

    init(key: EtcdBytes, rangeEnd: EtcdBytes, startRevision: EtcdNumber) {
        create = Creation(key: key, rangeEnd: rangeEnd, startRevision: startRevision)
    }

    struct Response: Decodable, Sendable {
        let result: Result?
        let error: Failure?
    }

    /// The reason why there are no results any more.
    struct Failure: Decodable, Sendable {
        let message: String?
    }

    struct Result: Decodable, Sendable {
        let events: [Event]?
        let created: Bool?
        let canceled: Bool?
        /// The reason why etcd ended the watch, in its own words.
        let cancelReason: String?
        /// The first revision that is still there, where the one to begin with has been compacted away.
        let compactRevision: EtcdNumber?

        private enum CodingKeys: String, CodingKey {
            case events, created, canceled
            case cancelReason = "cancel_reason"
            case compactRevision = "compact_revision"
        }
    }

    struct Event: Decodable, Sendable {
        /// The kind of the change; nil for a value that was written.
        private let type: String?
        /// The key and its value; of a key that was removed, the key and the revision alone.
        let kv: EtcdKeyValue

        var isRemoval: Bool { type == "DELETE" }
    }
}
