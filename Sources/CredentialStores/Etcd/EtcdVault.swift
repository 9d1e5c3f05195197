package import Credentials
import Crypto
import FoundationEssentials

/// Credentials at rest in etcd, shared by any number of replicas.
///
/// etcd sees neither names nor contents: keys are digests (``RecordKeys``), and values are sealed (``SealedRecord``).
/// Whatever is written is written by a transaction that compares: it fails if somebody else has written meanwhile, and is
/// decided anew in view of that.
package final class EtcdVault: CredentialStore {
    /// The number of times that a change is decided anew because somebody else was quicker.
    private static let attemptLimit = 32
    /// The number of records that are read at once.
    private static let pageSize: EtcdNumber = 500

    /// The time from the end of a watch to the next.
    private static let watchPause = Duration.milliseconds(100)

    private let client: EtcdClient
    private let prefix: String
    private let sealingKeys: RecordSealingKeys
    private let keys: RecordKeys

    /// Reads the key of names, or makes it when there is none.
    ///
    /// - Parameters:
    ///   - prefix: A prefix of all keys, which nobody else uses.
    ///   - key: The key to seal under.
    /// - Throws: When etcd cannot be reached, refuses, or has the key of names of another vault key.
    package init(client: EtcdClient, prefix: String, key: VaultKey) async throws(VaultError) {
        self.client = client
        self.prefix = prefix
        sealingKeys = RecordSealingKeys(key)
        keys = RecordKeys(
            prefix: prefix,
            nameKey: try await Self.nameKey(client: client, prefix: prefix, sealingKeys: sealingKeys)
        )
    }

    // MARK: CredentialStore

    package func load(_ name: CredentialName) async throws(VaultError) -> StoredCredential? {
        let key = keys.credential(name)
        guard let pair = try await read(key) else { return nil }
        return try open(pair, as: key, of: name)
    }

    package func change(
        _ name: CredentialName,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        let key = keys.credential(name)
        var pair = try await read(key)
        // What this call has written: an answer that was lost leaves open whether it was.
        var written: Set<Data> = []
        for _ in 0..<Self.attemptLimit {
            if let value = pair?.value?.data, written.contains(value) { return true }
            let stored = pair.flatMap { try? open($0, as: key, of: name) }
            // A record that cannot be opened is one of a credential that was stored.
            let isUnusable = pair != nil && stored == nil && !isRemoval(pair, as: key, of: name)
            let replacement: StoredCredential?
            switch decide(stored) {
            case .keep: return false
            case .store(let credential): replacement = credential
            case .remove:
                guard stored != nil || isUnusable else { return false }
                replacement = nil
            }
            let value = try seal(
                CredentialRecord(name: name, credential: replacement),
                as: key,
                generation: (pair?.writes ?? 0) + 1
            )
            written.insert(value)
            switch try await put(value, at: key, inPlaceOf: pair) {
            case .written: return true
            case .found(let other): pair = other
            }
        }
        throw .etcdRefused(etcd: client.label, reason: "others change \(name) all the time")
    }

    package func replace(
        _ name: CredentialName,
        with credential: StoredCredential,
        if isExpected: @escaping @Sendable (StoredCredential) -> Bool
    ) async throws(VaultError) -> Bool {
        // What cannot be opened is an error. If it becomes of that kind only now, it is kept all the same.
        guard try await load(name) != nil else { return false }
        return try await change(name) { stored in
            guard let stored, isExpected(stored) else { return .keep }
            return .store(credential)
        }
    }

    package func listing() async throws(VaultError) -> VaultListing {
        let contents = try await contents()
        return VaultListing(names: contents.credentials.map(\.name), errors: contents.errors)
    }

    package func contents() async throws(VaultError) -> VaultContents {
        var contents = VaultContents()
        var range = EtcdRange(key: EtcdBytes(RecordKeys.credentials(prefix: prefix)))
        range.rangeEnd = EtcdBytes(Self.end(ofPrefix: range.key.data))
        range.limit = Self.pageSize
        while true {
            let page = try await send(range)
            for pair in page.kvs ?? [] {
                do throws(VaultError) {
                    let record = try record(pair, as: String(decoding: pair.key.data, as: UTF8.self))
                    guard let credential = record.credential else { continue }
                    contents.credentials.append((record.name, credential))
                } catch {
                    contents.errors.append(error)
                }
            }
            guard page.more == true, let last = page.kvs?.last else { break }
            // All pages are of one moment.
            range.revision = range.revision ?? page.header.revision
            range.key = EtcdBytes(last.key.data + [0])
        }
        contents.credentials.sort { ($0.name.api, $0.name.account) < ($1.name.api, $1.name.account) }
        return contents
    }

    package func watch(_ changed: (CredentialChanges) async -> Void) async throws {
        let key = EtcdBytes(RecordKeys.credentials(prefix: prefix))
        let rangeEnd = EtcdBytes(Self.end(ofPrefix: key.data))
        // The last revision that is told; nil: what has happened is not known.
        var told: EtcdNumber?
        while !Task.isCancelled {
            do {
                if told == nil {
                    told = try await client.send(EtcdRange(key: key)).header.revision
                    await changed(.any)
                }
                let next = EtcdNumber((told?.value ?? 0) + 1)
                for try await result in client.watch(EtcdWatch(key: key, rangeEnd: rangeEnd, startRevision: next)) {
                    guard let events = result.events, let last = events.last else { continue }
                    await changed(changes(events))
                    told = last.kv.modRevision ?? told
                }
            } catch EtcdClient.WatchEnd.compacted {
                told = nil
            } catch {
                // Of whatever kind: it is tried again, at another server, as long as anybody wants to know.
            }
            try? await Task.sleep(for: Self.watchPause)
        }
    }

    private func changes(_ events: [EtcdWatch.Event]) -> CredentialChanges {
        var names: [CredentialName] = []
        for event in events {
            guard !event.isRemoval,
                let record = try? record(event.kv, as: String(decoding: event.kv.key.data, as: UTF8.self))
            else { return .any }
            names.append(record.name)
        }
        return .some(names)
    }

    // MARK: Records

    private enum PutResult {
        case written
        /// Somebody else was quicker; nil: by removing it.
        case found(EtcdKeyValue?)
    }

    private func read(_ key: String) async throws(VaultError) -> EtcdKeyValue? {
        try await send(EtcdRange(key: EtcdBytes(key))).kvs?.first
    }

    private func put(_ value: Data, at key: String, inPlaceOf pair: EtcdKeyValue?) async throws(VaultError) -> PutResult
    {
        let result = try await send(
            EtcdTransaction(putting: EtcdBytes(value), at: EtcdBytes(key), ifWrittenAt: pair?.modRevision ?? 0)
        )
        return result.isWritten ? .written : .found(result.found)
    }

    private func seal(
        _ record: CredentialRecord,
        as key: String,
        generation: UInt64
    ) throws(VaultError) -> Data {
        var contents = try record.contents()
        defer { contents.wipe() }
        do throws(RecordFault) {
            return try SealedRecord.seal(contents, under: sealingKeys, as: key, generation: generation)
        } catch {
            throw .recordUnusable(record: "\(record.name)", error)
        }
    }

    /// Returns nil when it was removed.
    private func open(
        _ pair: EtcdKeyValue,
        as key: String,
        of name: CredentialName
    ) throws(VaultError) -> StoredCredential? {
        let record = try record(pair, as: key)
        guard record.name == name else { throw .recordUnusable(record: "\(name)", .damaged) }
        return record.credential
    }

    private func isRemoval(_ pair: EtcdKeyValue?, as key: String, of name: CredentialName) -> Bool {
        guard let pair, let record = try? record(pair, as: key) else { return false }
        return record.name == name && record.credential == nil
    }

    private func record(_ pair: EtcdKeyValue, as key: String) throws(VaultError) -> CredentialRecord {
        do throws(RecordFault) {
            var contents = try SealedRecord(pair.value?.data ?? Data())
                .open(under: sealingKeys, as: key, version: pair.writes)
            defer { contents.wipe() }
            let record = try CredentialRecord(contents: contents)
            guard keys.credential(record.name) == key else { throw .damaged }
            return record
        } catch {
            throw .recordUnusable(record: key, error)
        }
    }

    // MARK: The key of names

    private static func nameKey(
        client: EtcdClient,
        prefix: String,
        sealingKeys: RecordSealingKeys
    ) async throws(VaultError) -> SymmetricKey {
        let key = RecordKeys.names(prefix: prefix)
        do {
            var found = try await client.send(EtcdRange(key: EtcdBytes(key))).kvs?.first
            if found == nil {
                let nameKey = SymmetricKey(size: .bits256)
                let value = try SealedRecord.seal(
                    nameKey.withUnsafeBytes { Data($0) },
                    under: sealingKeys,
                    as: key,
                    generation: 1
                )
                let result = try await client.send(
                    EtcdTransaction(putting: EtcdBytes(value), at: EtcdBytes(key), ifWrittenAt: 0)
                )
                if result.isWritten { return nameKey }
                found = result.found
            }
            guard let found else { throw RecordFault.damaged }
            let contents = try SealedRecord(found.value?.data ?? Data())
                .open(under: sealingKeys, as: key, version: found.writes)
            guard contents.count == SymmetricKeySize.bits256.bitCount / 8 else { throw RecordFault.damaged }
            return SymmetricKey(data: contents)
        } catch let error as RecordFault {
            throw .recordUnusable(record: key, error)
        } catch {
            throw VaultError(error, etcd: client.label)
        }
    }

    // MARK: Requests

    private func send<Request: EtcdRequest>(_ request: Request) async throws(VaultError) -> Request.Response {
        do throws(EtcdFailure) {
            return try await client.send(request)
        } catch {
            throw VaultError(error, etcd: client.label)
        }
    }

    /// Returns the end of the range of all keys with a prefix.
    static func end(ofPrefix prefix: Data) -> Data {
        var end = prefix
        while let last = end.popLast() {
            guard last < .max else { continue }
            end.append(last + 1)
            return end
        }
        // All keys.
        return Data([0])
    }
}

extension VaultError {
    init(_ failure: any Error, etcd: String) {
        self =
            switch failure {
            case EtcdFailure.refused(let reason): .etcdRefused(etcd: etcd, reason: reason)
            case EtcdFailure.unavailable(let reason): .etcdUnavailable(etcd: etcd, reason: reason)
            default: .etcdUnavailable(etcd: etcd, reason: "\(failure)")
            }
    }
}

extension EtcdKeyValue {
    /// The number of times that it was written.
    fileprivate var writes: UInt64 { UInt64(clamping: version?.value ?? 0) }
}
