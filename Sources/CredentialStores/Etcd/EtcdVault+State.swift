import Bytes
package import Credentials
import FoundationEssentials
import Synchronization

// MARK: - State

extension EtcdVault {
    /// The most turns that are told.
    private static let turnLimit: EtcdNumber = 20
    /// The most characters of a replica's name that are told: as many as a host's name may have.
    private static let holderLimit = 253

    package func state(knowing names: [CredentialName]) async -> SharedStoreState? {
        var state = SharedStoreState()
        do throws(VaultError) {
            let keys = try await keys()
            var range = range(ofPrefix: RecordKeys.exchanges(prefix: prefix))
            range.limit = Self.turnLimit
            let held = try await send(range)
            let pairs = held.kvs ?? []
            state.turns = turns(pairs, knowing: names, keys)
            state.turnsLeftOut = max(0, Int(held.count?.value ?? 0) - pairs.count)
            let records = try await recordCount()
            state.records = records.count
            state.revision = records.revision
            state.keys = keyState
        } catch {
            state.failure = error
        }
        // After etcd's revision: what it has told by now may be more, and never less.
        state.watch = watchState
        return state
    }

    /// The state of the keys as the watch has last seen it.
    private var keyState: SharedStoreState.KeyState {
        let keys = sealingKeys.withLock { $0.keys }
        let isConfigured = keys.sealing.identifier == configuredKey
        if keys.earlier != nil { return .rekeying(hasNewKey: isConfigured) }
        return isConfigured ? .configured : .replaced
    }

    /// Opens no more than so many records: names are in them alone.
    package func listing(limit: Int) async throws(VaultError) -> VaultListing {
        let keys = try await keys()
        var range = range(ofPrefix: RecordKeys.credentials(prefix: prefix))
        // None at all would be no limit to etcd.
        range.limit = EtcdNumber(Int64(max(1, limit)))
        let page = try await send(range)
        let pairs = page.kvs ?? []
        var listing = VaultListing(unlisted: max(0, Int(page.count?.value ?? 0) - pairs.count))
        for pair in pairs {
            do throws(VaultError) {
                let record = try await record(pair, as: String(decoding: pair.key.data, as: UTF8.self), keys)
                if record.credential != nil { listing.names.append(record.name) }
            } catch {
                listing.errors.append(error)
            }
        }
        listing.names.sort { ($0.api, $0.account) < ($1.api, $1.account) }
        return listing
    }

    /// Asks each server by itself how it is.
    package func serverReports() async -> [EtcdServerReport] { await client.serverReports() }

    /// Looks whether etcd would let what a vault stores be written. Writes nothing.
    package func checkWriting() async throws(VaultError) {
        try await checkWriting([
            RecordKeys.clocks(prefix: prefix), RecordKeys.credentials(prefix: prefix),
            RecordKeys.exchanges(prefix: prefix),
        ])
    }

    func checkWriting(_ labels: [String]) async throws(VaultError) {
        // No key was made at that revision: nothing is carried out. But etcd asks whether it may be.
        let names = EtcdBytes(RecordKeys.names(prefix: prefix))
        _ = try await send(
            EtcdTransaction(
                if: [.created(names, at: EtcdNumber(.max))],
                labels.map { .put(EtcdBytes(""), at: EtcdBytes($0)) },
                otherwiseReading: []
            )
        )
    }

    /// Returns the number of records of credentials, and etcd's revision. Reads none of them.
    func recordCount() async throws(VaultError) -> (count: Int, revision: Int64) {
        var range = range(ofPrefix: RecordKeys.credentials(prefix: prefix))
        range.isCount = true
        let answer = try await send(range)
        return (Int(answer.count?.value ?? 0), answer.header.revision?.value ?? 0)
    }

    private func range(ofPrefix prefix: String) -> EtcdRange {
        var range = EtcdRange(key: EtcdBytes(prefix))
        range.rangeEnd = EtcdBytes(Self.end(ofPrefix: range.key.data))
        return range
    }

    private func turns(
        _ pairs: [EtcdKeyValue],
        knowing names: [CredentialName],
        _ keys: RecordKeys
    ) -> [SharedStoreState.HeldTurn] {
        guard !pairs.isEmpty else { return [] }
        let known = Dictionary(names.map { (keys.exchange($0), $0) }) { first, _ in first }
        return pairs.map { pair in
            // The lease's number is of no use to a person.
            let words = String(decoding: pair.value?.data ?? Data(), as: UTF8.self).split(separator: " ")
            return SharedStoreState.HeldTurn(
                name: known[String(decoding: pair.key.data, as: UTF8.self)],
                holder: condensed(words.dropLast().joined(separator: " "), limit: Self.holderLimit)
            )
        }
    }
}
