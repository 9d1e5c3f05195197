import Credentials
import FoundationEssentials

/// The keys that records may be sealed under, as etcd was last seen to say.
///
/// Where a vault was never re-keyed, it says nothing: records are sealed under the key of the configuration. While it
/// is re-keyed, one record has the new key, sealed under the old one, and another one the old key, sealed under the new
/// one: whoever has either opens both. When that is finished, both records are empty, and sealed under the new key.
struct KnownSealingKeys: Sendable {
    let keys: RecordSealingKeys
    /// The record of the new key.
    let next: EtcdKeyValue?
    /// The record of the old key.
    let earlier: EtcdKeyValue?

    /// The keys of somebody who has asked for nothing yet.
    init(_ key: RecordSealingKey) {
        keys = RecordSealingKeys(key)
        next = nil
        earlier = nil
    }

    private init(keys: RecordSealingKeys, next: EtcdKeyValue?, earlier: EtcdKeyValue?) {
        self.keys = keys
        self.next = next
        self.earlier = earlier
    }

    /// Returns the comparison of a transaction that writes what is sealed under these keys: nobody is to seal under the
    /// old key once there is a new one.
    func areCurrent(prefix: String) -> EtcdTransaction.Comparison {
        .written(EtcdBytes(RecordKeys.nextSealingKey(prefix: prefix)), at: next?.modRevision ?? 0)
    }

    /// Returns the keys that follow from the records that are there now. The key to seal under is never again an old
    /// one.
    func following(
        next: EtcdKeyValue?,
        earlier: EtcdKeyValue?,
        prefix: String
    ) throws(VaultError) -> KnownSealingKeys {
        let nextLabel = RecordKeys.nextSealingKey(prefix: prefix)
        let found = try Self.contents(of: next, as: nextLabel, under: keys.sealing)
        let sealing = found.key ?? keys.sealing
        let old = try Self.contents(
            of: earlier,
            as: RecordKeys.earlierSealingKey(prefix: prefix),
            under: sealing
        )
        // The vault has been re-keyed to the end, and to a key that is not known here: whoever has that could open
        // nothing of what is sealed under this one.
        if found == .foreign || next == nil, old == .foreign {
            throw .recordUnusable(record: nextLabel, .otherKey)
        }
        return KnownSealingKeys(keys: RecordSealingKeys(sealing, earlier: old.key), next: next, earlier: earlier)
    }

    private enum Contents: Equatable {
        case nothing
        case key(RecordSealingKey)
        /// They are for those who have another key.
        case foreign

        var key: RecordSealingKey? {
            if case .key(let key) = self { key } else { nil }
        }

        static func == (one: Contents, other: Contents) -> Bool {
            switch (one, other) {
            case (.nothing, .nothing), (.foreign, .foreign): true
            case (.key(let one), .key(let other)): one.identifier == other.identifier
            default: false
            }
        }
    }

    private static func contents(
        of pair: EtcdKeyValue?,
        as label: String,
        under key: RecordSealingKey
    ) throws(VaultError) -> Contents {
        guard let pair else { return .nothing }
        do throws(RecordFault) {
            var contents = try SealedRecord(pair.value?.data ?? Data())
                .open(under: RecordSealingKeys(key), as: label, of: pair)
            defer { contents.wipe() }
            guard !contents.isEmpty else { return .nothing }
            guard let found = RecordSealingKey(contents: contents) else { throw .damaged }
            return .key(found)
        } catch {
            guard error == .otherKey else { throw .recordUnusable(record: label, error) }
            return .foreign
        }
    }
}
