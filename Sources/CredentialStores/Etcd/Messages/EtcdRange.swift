/// The reading of a key, or of the keys in a range.
struct EtcdRange: EtcdRequest {
    static let path = "/v3/kv/range"

    var key: EtcdBytes
    /// The first key after the range; nil: one key alone.
    var rangeEnd: EtcdBytes?
    var limit: EtcdNumber?
    /// The revision to read at; nil: the newest.
    var revision: EtcdNumber?
    /// Indicates whether the keys are to be counted alone; nil: they are to be told.
    var isCount: Bool?

    init(key: EtcdBytes) { self.key = key }

    private enum CodingKeys: String, CodingKey {
        case key, limit, revision
        case rangeEnd = "range_end"
        case isCount = "count_only"
    }

    struct Response: Decodable, Sendable {
        let header: EtcdHeader
        let kvs: [EtcdKeyValue]?
        /// Indicates whether there are more keys in the range than the limit.
        let more: Bool?
        /// The number of keys in the range, whatever the limit; nil: none.
        let count: EtcdNumber?
    }
}
