import Credentials
import Synchronization

// MARK: - A backup that was restored

extension EtcdVault {
    /// Looks, by an answer of etcd's, whether it was restored from a backup, and sees to it that it has a note of that.
    ///
    /// - Parameters:
    ///   - revision: The revision of the answer.
    ///   - pair: The note that etcd had then.
    ///   - mark: The moment before it was asked.
    func followRestoration(
        _ revision: Int64,
        _ pair: EtcdKeyValue?,
        since mark: EtcdRestoration.Mark
    ) async throws(VaultError) {
        let key = EtcdBytes(RecordKeys.restoration(prefix: prefix))
        let note = EtcdRestoration.note(upTo: revision)
        var pair = pair
        for _ in 0..<Self.attemptLimit {
            let found = pair?.value.map { String(decoding: $0.data, as: UTF8.self) }
            guard found != note else { break }
            guard restoration.withLock({ $0.follow(found, revision, since: mark) }) else { return }
            let result = try await send(
                EtcdTransaction(
                    if: [.written(key, at: pair?.modRevision ?? 0)],
                    [.put(EtcdBytes(note), at: key)],
                    otherwiseReading: [key]
                )
            )
            if result.isCarriedOut { break }
            pair = result.found.first ?? nil
        }
        restoration.withLock { $0.left(note, revision, since: mark) }
    }

    /// Returns a credential as it may be used: a refresh token that may be sent once, and was in a backup, may have
    /// been sent since.
    func usable(_ credential: StoredCredential?, of pair: EtcdKeyValue) -> StoredCredential? {
        guard (pair.modRevision?.value ?? 0) <= restoration.withLock({ $0.revision }) else { return credential }
        return credential?.withRefreshBegun ?? credential
    }

    /// The restoration that is to be told, once.
    func untoldRestoration() -> VaultError? {
        restoration.withLock { $0.takeUntold() }.map { .etcdRestored(etcd: client.label, from: $0.from, to: $0.to) }
    }
}
