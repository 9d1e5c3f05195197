/// The reason why a record of a vault in etcd is of no use.
package enum RecordFault: Error, Sendable, Equatable {
    /// It does not begin as a record does.
    case notSealed
    case unknownVersion(UInt8)
    /// It was altered, cut, or is another record's.
    case damaged
    /// It is sealed under a vault key that is not known here.
    case otherKey
    /// It is not there, and others are that are of no use without it.
    case missing
    /// It is an older one than was stored last.
    /// - Parameters:
    ///   - generation: The number of writes of its key at which it was made.
    ///   - writes: The number of writes that etcd has counted.
    case putBack(generation: UInt64, writes: UInt64)
    /// It was stored when its key had been made at another of etcd's revisions: that was removed since, or this is
    /// another etcd.
    /// - Parameters:
    ///   - created: The revision at which the key had been made.
    ///   - now: The revision at which it was made that is there.
    case ofEarlierKey(created: UInt64, now: UInt64)
}

extension RecordFault: CustomStringConvertible {
    package var description: String {
        switch self {
        case .notSealed: "is not of a vault's making, or its beginning is damaged"
        case .unknownVersion(let version):
            "has version \(version) of the format, which this release does not know: use the release that wrote it, or a "
                + "newer one"
        case .damaged: "is damaged, was altered, or was moved from another key"
        case .otherKey: "is sealed under another vault key: configure the key that it was sealed under"
        case .missing:
            "is not there, and without it nobody can find the credentials that are: put it back from a backup of etcd"
        case .putBack(let generation, let writes):
            "is an older one that was put back: it is number \(generation) of those that were written there, of \(writes). "
                + "Find out who writes to etcd besides Paraph"
        case .ofEarlierKey(let created, let now):
            "was moved here, or put back: the key that it was stored at was made at etcd's revision \(created), and this one "
                + "at \(now). Find out who writes to etcd besides Paraph. Where this etcd was filled from another one, "
                + "restore a snapshot of that instead (etcdctl snapshot restore)"
        }
    }
}
