import Credentials
import FoundationEssentials
import Synchronization

// MARK: - The keys that records are sealed under

extension EtcdVault {
    /// Looks which keys records may be sealed under now.
    ///
    /// - Parameter others: Keys to read at the same moment.
    /// - Returns: The keys to seal under, and what those others have.
    @discardableResult
    func followSealingKeys(
        reading others: [EtcdBytes] = []
    ) async throws(VaultError) -> (known: KnownSealingKeys, found: [EtcdKeyValue?]) {
        let labels = [RecordKeys.nextSealingKey(prefix: prefix), RecordKeys.earlierSealingKey(prefix: prefix)]
        let reading = labels.map { EtcdBytes($0) } + others
        let found = try await send(EtcdTransaction(if: [], [], reading: reading, otherwiseReading: [])).found
        guard found.count == reading.count else {
            throw .etcdUnavailable(etcd: client.label, reason: "an answer that is not etcd's")
        }
        let known = try sealingKeys.withLock { known throws(VaultError) in
            known = try known.following(next: found[0], earlier: found[1], prefix: prefix)
            return known
        }
        return (known, Array(found.dropFirst(labels.count)))
    }

    /// Opens a record. When its key is not known here, the vault may have been re-keyed: that is looked up, and the
    /// record opened that is there by then.
    /// - Returns: The contents. The caller wipes them.
    func contents(of pair: EtcdKeyValue, as label: String) async throws(VaultError) -> Data {
        do throws(RecordFault) {
            let keys = sealingKeys.withLock { $0.keys }
            return try SealedRecord(pair.value?.data ?? Data()).open(under: keys, as: label, of: pair)
        } catch {
            guard error == .otherKey else { throw .recordUnusable(record: label, error) }
        }
        let (known, found) = try await followSealingKeys(reading: [EtcdBytes(label)])
        let pair = (found.first ?? nil) ?? pair
        do throws(RecordFault) {
            return try SealedRecord(pair.value?.data ?? Data()).open(under: known.keys, as: label, of: pair)
        } catch {
            throw .recordUnusable(record: label, error)
        }
    }
}
