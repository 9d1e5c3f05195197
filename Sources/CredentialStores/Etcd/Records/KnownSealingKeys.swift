import Credentials
import FoundationEssentials

/// The keys that records may be sealed under, as etcd was last seen to say.
///
/// Where a vault was never re-keyed, it says nothing: records are sealed under the key of the configuration. While it is
/// re-keyed, one record has the new key, sealed under the old one, and another one the old key, sealed under the new one:
/// whoever has either opens both. When that is finished, both records are empty, and sealed under the new key.
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

    /// What a transaction compares that writes what is sealed under these keys: nobody is to seal under the old key once
    /// there is a new one.
    func areCurrent(prefix: String) -> EtcdTransaction.Comparison {
        .written(EtcdBytes(RecordKeys.nextSealingKey(prefix: prefix)), at: next?.modRevision ?? 0)
    }

    /// Returns the keys that follow from the records that are there now. The key to seal under is never again an old one.
    func following(
        next: EtcdKeyValue?,
        earlier: EtcdKeyValue?,
        prefix: String
    ) throws(VaultError) -> KnownSealingKeys {
        let sealing =
            try Self.key(next, as: RecordKeys.nextSealingKey(prefix: prefix), under: keys.sealing) ?? keys.sealing
        let old = try Self.key(earlier, as: RecordKeys.earlierSealingKey(prefix: prefix), under: sealing)
        return KnownSealingKeys(keys: RecordSealingKeys(sealing, earlier: old), next: next, earlier: earlier)
    }

    /// Returns nil when the record has none, or is for those who have another key.
    private static func key(
        _ pair: EtcdKeyValue?,
        as label: String,
        under key: RecordSealingKey
    ) throws(VaultError) -> RecordSealingKey? {
        guard let pair else { return nil }
        do throws(RecordFault) {
            var contents = try SealedRecord(pair.value?.data ?? Data())
                .open(under: RecordSealingKeys(key), as: label, of: pair)
            defer { contents.wipe() }
            guard !contents.isEmpty else { return nil }
            guard let found = RecordSealingKey(contents: contents) else { throw .damaged }
            return found
        } catch {
            guard error == .otherKey else { throw .recordUnusable(record: label, error) }
            return nil
        }
    }
}
