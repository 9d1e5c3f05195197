package import Credentials
import FoundationEssentials
import Synchronization

// MARK: - Watching

extension EtcdVault {
    /// The latest watch of a vault.
    struct Watches {
        /// The number of those that were begun.
        var count = 0
        /// The state of the one that was begun last.
        var state: CredentialWatchState?
    }

    /// The state of the watch that was begun last; nil when there is none.
    package var watchState: CredentialWatchState? { watches.withLock { $0.state } }

    package func watch(
        _ changed: (CredentialChanges) async -> Void,
        interrupted: (VaultError?) async -> Void
    ) async throws {
        // Clocks, credentials, turns and the keys of a re-key: they follow each other.
        let key = EtcdBytes(RecordKeys.clocks(prefix: prefix))
        let keyPrefix = Data(RecordKeys.sealingKeys(prefix: prefix).utf8)
        let rangeEnd = EtcdBytes(Self.end(ofPrefix: keyPrefix))
        let number = watches.withLock { watches in
            watches.count += 1
            watches.state = nil
            return watches.count
        }
        var progress = EtcdWatchProgress(serverCount: client.serverCount) { state in
            self.watches.withLock { if $0.count == number { $0.state = state } }
        }
        defer { watches.withLock { if $0.count == number { $0.state = nil } } }
        while !Task.isCancelled {
            do {
                let keys = try await keys()
                let told: Int64
                if let revision = progress.state.revision {
                    told = revision
                } else {
                    let mark = restoration.withLock { $0.mark }
                    let label = RecordKeys.restoration(prefix: prefix)
                    let answer = try await send(EtcdRange(key: EtcdBytes(label)))
                    told = answer.header.revision?.value ?? 0
                    try await followRestoration(told, answer.kvs?.first, since: mark)
                    // With the old key alone, nobody could follow any more once a re-key is finished.
                    try await followSealingKeys()
                    keyChanges.tell(nil)
                    await changed(.any)
                    progress.noteTold(upTo: told)
                }
                if let restoration = untoldRestoration() { await interrupted(restoration) }
                let mark = restoration.withLock { $0.mark }
                let watch = EtcdWatch(key: key, rangeEnd: rangeEnd, startRevision: EtcdNumber(told + 1))
                var results = client.watch(watch)
                while let result = try await results.next() {
                    switch result {
                    case .begun:
                        if progress.noteBeginning() { await interrupted(nil) }
                    case .events(let events):
                        if events.contains(where: { $0.kv.key.data.starts(with: keyPrefix) }) {
                            try await followSealingKeys()
                        }
                        for event in events { keyChanges.tell(String(decoding: event.kv.key.data, as: UTF8.self)) }
                        if let changes = await changes(events, keys) { await changed(changes) }
                        guard let revision = events.last?.kv.modRevision?.value else { continue }
                        restoration.withLock { $0.saw(revision, since: mark) }
                        progress.noteTold(upTo: revision)
                    }
                }
            } catch EtcdClient.WatchEnd.lost {
                progress.noteLoss()
            } catch {
                // Of whatever kind: it is tried again, at another server, as long as anybody wants to know.
                if Task.isCancelled { break }
                let error = VaultError(watch: error, etcd: client.label)
                if progress.noteFailure(error, at: .now) { await interrupted(error) }
            }
            try? await Task.sleep(for: progress.pause())
        }
    }

    /// - Returns: Nil when no credential is among them.
    private func changes(_ events: [EtcdWatch.Event], _ keys: RecordKeys) async -> CredentialChanges? {
        let prefix = Data(RecordKeys.credentials(prefix: prefix).utf8)
        var names: [CredentialName] = []
        for event in events where event.kv.key.data.starts(with: prefix) {
            guard !event.isRemoval,
                let record = try? await record(event.kv, as: String(decoding: event.kv.key.data, as: UTF8.self), keys)
            else { return .any }
            names.append(record.name)
        }
        return names.isEmpty ? nil : .some(names)
    }
}

extension VaultError {
    fileprivate init(watch failure: any Error, etcd: String) {
        self =
            switch failure {
            case let error as VaultError: error
            case EtcdClient.WatchEnd.refused(let reason): .etcdRefused(etcd: etcd, reason: reason)
            case EtcdClient.WatchEnd.server(let reason): .etcdUnavailable(etcd: etcd, reason: reason)
            default: .etcdUnavailable(etcd: etcd, reason: "\(failure)")
            }
    }
}
