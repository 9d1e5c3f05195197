import Credentials
import FoundationEssentials
import Synchronization

// MARK: - Sealing records anew

extension EtcdVault {
    /// The number of records that are sealed anew at once.
    private static let resealedAtOnce: EtcdNumber = 32

    /// The result of sealing one record anew.
    private enum Resealing: Sendable {
        /// - Parameter isCredential: Whether it has a credential, and not only tells that one was removed.
        case done(isCredential: Bool)
        /// It is not there any more, or is of the newest key.
        case unneeded
        /// Some day the old key may open it.
        case unfinished(VaultError)
        /// Neither key opens it.
        case foreign(VaultError)
        /// etcd could not be reached, or has refused.
        case failed(VaultError)
    }

    /// Seals all records of the old key under the new one, but for those of clocks, which are removed. What is written
    /// meanwhile is of the new key: to go through them once is enough.
    func resealRecords(_ progress: VaultProgress) async throws(VaultError) -> VaultRekeying {
        var rekeying = VaultRekeying()
        var done = 0
        var range = EtcdRange(key: EtcdBytes(RecordKeys.credentials(prefix: prefix)))
        range.rangeEnd = EtcdBytes(Self.end(ofPrefix: range.key.data))
        range.limit = Self.resealedAtOnce
        while true {
            let page = try await send(range)
            let pairs = page.kvs ?? []
            // Of each page etcd tells how many there are from its beginning on.
            progress(done, done + max(pairs.count, Int(page.count?.value ?? 0)))
            done += pairs.count
            let results = await withTaskGroup(of: Resealing.self) { group in
                for pair in pairs { group.addTask { await self.reseal(pair) } }
                return await group.reduce(into: [Resealing]()) { $0.append($1) }
            }
            for result in results {
                if case .done(isCredential: true) = result { rekeying.resealedCount += 1 }
                try add(result, to: &rekeying)
            }
            guard page.more == true, let last = pairs.last else { break }
            range.key = EtcdBytes(last.key.data + [0])
        }
        try await removeClocksOfOldKey()
        for label in [RecordKeys.authority(prefix: prefix), RecordKeys.names(prefix: prefix)] {
            if let pair = try await read(label) { try add(await reseal(pair), to: &rekeying) }
        }
        return rekeying
    }

    private func add(_ result: Resealing, to rekeying: inout VaultRekeying) throws(VaultError) {
        switch result {
        case .done, .unneeded: break
        case .unfinished(let error): rekeying.unfinished.append(error)
        case .foreign(let error): rekeying.foreign.append(error)
        case .failed(let error): throw error
        }
    }

    private func reseal(_ first: EtcdKeyValue) async -> Resealing {
        let label = String(decoding: first.key.data, as: UTF8.self)
        var pair = first
        for _ in 0..<Self.attemptLimit {
            let known = sealingKeys.withLock { $0 }
            let value: Data
            let isCredential: Bool
            do throws(RecordFault) {
                let record = try SealedRecord(pair.value?.data ?? Data())
                guard record.keyIdentifier != known.keys.sealing.identifier else { return .unneeded }
                var contents = try record.open(under: known.keys, as: label, of: pair)
                defer { contents.wipe() }
                isCredential = CredentialRecord.hasCredential(contents)
                // What is written anew does not look as if it were of a backup any more.
                if label.hasPrefix(RecordKeys.credentials(prefix: prefix)),
                    let record = try? CredentialRecord(contents: contents)
                {
                    let marked = CredentialRecord(name: record.name, credential: usable(record.credential, of: pair))
                    if marked != record, let markedContents = try? marked.contents() {
                        contents.wipe()
                        contents = markedContents
                    }
                }
                value = try SealedRecord.seal(contents, under: known.keys, as: label, inPlaceOf: pair)
            } catch {
                let told = VaultError.recordUnusable(record: label, error)
                return error == .otherKey ? .foreign(told) : .unfinished(told)
            }
            do throws(VaultError) {
                switch try await put(value, at: label, inPlaceOf: pair, in: nil, ifCurrent: known) {
                case .written: return .done(isCredential: isCredential)
                case .found(let other?):
                    // The answer was lost that told so.
                    if other.value?.data == value { return .done(isCredential: isCredential) }
                    pair = other
                case .found(nil): return .unneeded
                }
            } catch {
                return .failed(error)
            }
        }
        return .failed(.etcdRefused(etcd: client.label, reason: "others change \(label) all the time"))
    }
}
