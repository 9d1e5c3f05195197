package import Credentials
import Crypto
import FoundationEssentials
import Synchronization

// MARK: - The key of names

extension EtcdVault {
    /// Returns the keys of records: with the key of names that etcd has, which is made when there is nothing yet.
    ///
    /// - Throws: When etcd cannot be reached, refuses, or has the key of names of another vault key, or credentials and
    ///   none.
    func keys() async throws(VaultError) -> RecordKeys {
        if let keys = knownKeys.withLock({ $0 }) { return keys }
        let nameKey = try await nameKey()
        let keys = RecordKeys(prefix: prefix, nameKey: nameKey)
        knownKeys.withLock { $0 = keys }
        return keys
    }

    /// Looks whether the key of names is there and can be opened. Makes nothing, which ``check()`` would.
    /// - Returns: False when nothing has been stored yet.
    package func isBegun() async throws(VaultError) -> Bool {
        let label = RecordKeys.names(prefix: prefix)
        if let found = try await send(EtcdRange(key: EtcdBytes(label))).kvs?.first {
            _ = try await openedNameKey(found, as: label)
            return true
        }
        guard try await recordCount().count == 0 else { throw .recordUnusable(record: label, .missing) }
        return false
    }

    private func nameKey() async throws(VaultError) -> SymmetricKey {
        let label = RecordKeys.names(prefix: prefix)
        let key = EtcdBytes(label)
        let note = EtcdBytes(RecordKeys.restoration(prefix: prefix))
        let (known, names) = try await followSealingKeys(reading: [key, note])
        if let note = (names.last ?? nil)?.value {
            restoration.withLock { $0.adopt(String(decoding: note.data, as: UTF8.self)) }
        }
        if let found = names.first ?? nil { return try await openedNameKey(found, as: label) }
        let nameKey = SymmetricKey(size: .bits256)
        var contents = nameKey.withUnsafeBytes { Data($0) }
        defer { contents.wipe() }
        let value: Data
        do throws(RecordFault) {
            value = try SealedRecord.seal(contents, under: known.keys, as: label, inPlaceOf: nil)
        } catch {
            throw .recordUnusable(record: label, error)
        }
        let credentials = EtcdBytes(RecordKeys.credentials(prefix: prefix))
        let result = try await send(
            EtcdTransaction(
                if: [
                    .written(key, at: 0),
                    // With another key of names, nobody would find what is there.
                    .none(from: credentials, to: EtcdBytes(Self.end(ofPrefix: credentials.data))),
                    known.areCurrent(prefix: prefix),
                ],
                [.put(EtcdBytes(value), at: key)],
                otherwiseReading: [key]
            )
        )
        if result.isCarriedOut { return nameKey }
        guard let found = result.found.first ?? nil else { throw .recordUnusable(record: label, .missing) }
        return try await openedNameKey(found, as: label)
    }

    private func openedNameKey(_ found: EtcdKeyValue, as label: String) async throws(VaultError) -> SymmetricKey {
        var contents = try await contents(of: found, as: label)
        defer { contents.wipe() }
        guard contents.count == SymmetricKeySize.bits256.bitCount / 8 else {
            throw .recordUnusable(record: label, .damaged)
        }
        return SymmetricKey(data: contents)
    }
}
