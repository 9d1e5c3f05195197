package import Credentials
import FoundationEssentials

// MARK: - Changing the vault key

/// Changing the vault key while replicas serve.
///
/// 1. The new key is stored, sealed under the old one, and the old one, sealed under the new one, in one transaction.
///    From then on nobody writes what is sealed under the old key: every transaction that writes compares that the
///    writer knows the newest key. Whoever has either key opens records of both.
/// 2. Each record of the old key is sealed anew, unless it was changed meanwhile; the key of names last.
/// 3. The replicas are given the new key, by whoever looks after them, in any order and at any time.
/// 4. The records of the two keys are emptied: the old key opens nothing any more.
///
/// Broken off at any moment, it leaves a vault whose records all open, and goes on where it stopped when it is run
/// again.
extension EtcdVault {
    /// Seals every record under a new key: the first two steps.
    ///
    /// - Parameters:
    ///   - isMade: Whether there is the new key already. Otherwise it is asked for when all that could be looked at
    ///     before stands for the re-key.
    ///   - progress: The function that is told of the records that were gone through.
    ///   - newKey: Returns the new key, the same one when it is run again. Not called where there is nothing.
    /// - Returns: The result, records of no use included. Nil when nothing has been stored yet.
    /// - Throws: ``VaultError/rekeyImpossible(reason:)`` before anything was changed; any other when etcd does not
    ///   answer: then both keys are in use, until it is run again.
    package func rekey(
        isMade: Bool = true,
        progress: VaultProgress = { _, _ in },
        to newKey: () async throws(VaultError) -> VaultKey
    ) async throws(VaultError) -> VaultRekeying? {
        guard try await read(RecordKeys.names(prefix: prefix)) != nil else { return nil }
        _ = try await keys()
        let made = try await isMade ? RecordSealingKey(newKey()) : nil
        try await introduce(made) { () async throws(VaultError) in RecordSealingKey(try await newKey()) }
        return try await resealRecords(progress)
    }

    /// Ends the use of the old key, which opens nothing from then on: the last step, taken when everybody has the new
    /// one.
    ///
    /// - Parameter progress: The function that is told of the records that were gone through.
    /// - Returns: The result. While there are ``VaultRekeying/unfinished`` records, both keys stay in use. Nil when no
    ///   re-key is to be finished.
    /// - Throws: As ``rekey(isMade:progress:to:)``.
    package func finishRekeying(
        progress: VaultProgress = { _, _ in }
    ) async throws(VaultError) -> VaultRekeying? {
        guard try await read(RecordKeys.names(prefix: prefix)) != nil else { return nil }
        _ = try await keys()
        var resealedCount = 0
        var last: VaultRekeying?
        for _ in 0..<Self.attemptLimit {
            let known = try await followSealingKeys().known
            // Nil in the first round: there is nothing to finish. Later, it was finished, and that was not heard of.
            guard known.keys.earlier != nil else { return last }
            guard known.keys.sealing.identifier == configuredKey else {
                throw .rekeyImpossible(
                    reason: "the configuration has the old key. Give all proxies, and this command, the new one first."
                )
            }
            var rekeying = try await resealRecords(progress)
            resealedCount += rekeying.resealedCount
            rekeying.resealedCount = resealedCount
            last = rekeying
            guard rekeying.isFinished else { return rekeying }
            let keys = RecordSealingKeys(known.keys.sealing)
            if try await putKeys(next: (nil, keys), earlier: (nil, keys), inPlaceOf: known) {
                try await followSealingKeys()
                return rekeying
            }
        }
        throw changedByOthers
    }

    // MARK: The new key

    /// - Parameter made: The new key; nil: it is still to be made.
    private func introduce(
        _ made: RecordSealingKey?,
        make: () async throws(VaultError) -> RecordSealingKey
    ) async throws(VaultError) {
        var made = made
        for _ in 0..<Self.attemptLimit {
            let known = try await followSealingKeys().known
            let present = known.keys.sealing
            guard present.identifier != made?.identifier else {
                if known.keys.earlier != nil { return }
                throw .rekeyImpossible(reason: "the file has the present key. Name another one.")
            }
            guard known.keys.earlier == nil else {
                throw .rekeyImpossible(
                    reason: "a re-key to another key has not been finished. Name the file with that key, to go on with "
                        + "it; or give that key to all proxies, and to this command, and finish it: paraph accounts "
                        + "rekey --finish"
                )
            }
            guard known.earlier != nil else {
                // An empty one first: who puts the first record of a key back is not noticed (``SealedRecord``), and
                // the old key must not come back when it is over.
                try await makeEarlier(under: known.keys)
                continue
            }
            guard let newKey = made else {
                // Of a re-key that is refused no key is left that nobody needs.
                try await checkWriting(RecordKeys.sealed(prefix: prefix))
                made = try await make()
                continue
            }
            _ = try await putKeys(
                next: (newKey, known.keys),
                earlier: (present, RecordSealingKeys(newKey)),
                inPlaceOf: known
            )
        }
        throw changedByOthers
    }

    private func makeEarlier(under keys: RecordSealingKeys) async throws(VaultError) {
        let label = RecordKeys.earlierSealingKey(prefix: prefix)
        let key = EtcdBytes(label)
        let value = try sealed(nil, under: keys, as: label, inPlaceOf: nil)
        _ = try await send(
            EtcdTransaction(if: [.written(key, at: 0)], [.put(EtcdBytes(value), at: key)], otherwiseReading: [])
        )
    }

    /// Writes both records, if they are still as they are known.
    /// - Parameters:
    ///   - next: The new key, nil: none, and the keys to seal it under.
    ///   - earlier: The old key, likewise.
    private func putKeys(
        next: (key: RecordSealingKey?, under: RecordSealingKeys),
        earlier: (key: RecordSealingKey?, under: RecordSealingKeys),
        inPlaceOf known: KnownSealingKeys
    ) async throws(VaultError) -> Bool {
        let nextLabel = RecordKeys.nextSealingKey(prefix: prefix)
        let earlierLabel = RecordKeys.earlierSealingKey(prefix: prefix)
        let nextValue = try sealed(next.key, under: next.under, as: nextLabel, inPlaceOf: known.next)
        let earlierValue = try sealed(earlier.key, under: earlier.under, as: earlierLabel, inPlaceOf: known.earlier)
        return try await send(
            EtcdTransaction(
                if: [
                    known.areCurrent(prefix: prefix),
                    .created(EtcdBytes(nextLabel), at: known.next?.createRevision ?? 0),
                    .written(EtcdBytes(earlierLabel), at: known.earlier?.modRevision ?? 0),
                    .created(EtcdBytes(earlierLabel), at: known.earlier?.createRevision ?? 0),
                ],
                [
                    .put(EtcdBytes(nextValue), at: EtcdBytes(nextLabel)),
                    .put(EtcdBytes(earlierValue), at: EtcdBytes(earlierLabel)),
                ],
                otherwiseReading: []
            )
        ).isCarriedOut
    }

    private func sealed(
        _ key: RecordSealingKey?,
        under keys: RecordSealingKeys,
        as label: String,
        inPlaceOf pair: EtcdKeyValue?
    ) throws(VaultError) -> Data {
        var contents = key?.contents ?? Data()
        defer { contents.wipe() }
        do throws(RecordFault) {
            return try SealedRecord.seal(contents, under: keys, as: label, inPlaceOf: pair)
        } catch {
            throw .recordUnusable(record: label, error)
        }
    }

    private var changedByOthers: VaultError {
        .etcdRefused(etcd: client.label, reason: "others change the vault's keys all the time")
    }
}
