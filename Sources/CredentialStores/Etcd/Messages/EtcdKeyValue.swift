/// A key of etcd and what it has. What is zero or empty is left out of an answer.
struct EtcdKeyValue: Decodable, Sendable {
    let key: EtcdBytes
    let value: EtcdBytes?
    /// The revision at which it was made.
    let createRevision: EtcdNumber?
    /// The revision at which it was last written.
    let modRevision: EtcdNumber?
    /// The number of times that it was written since it was made.
    let version: EtcdNumber?

    private enum CodingKeys: String, CodingKey {
        case key, value, version
        case createRevision = "create_revision"
        case modRevision = "mod_revision"
    }

    /// The number of times that it was written.
    var writes: UInt64 { UInt64(clamping: version?.value ?? 0) }

    /// The revision at which it was made.
    var creation: UInt64 { UInt64(clamping: createRevision?.value ?? 0) }
}
