package import Credentials
import Crypto
import FoundationEssentials
import Synchronization

/// Credentials at rest in etcd, shared by any number of replicas.
///
/// etcd sees neither names nor contents: keys are digests (``RecordKeys``), and values are sealed (``SealedRecord``).
/// Whatever is written is written by a transaction that compares: it fails if somebody else has written meanwhile, and
/// is decided anew in view of that.
package final class EtcdVault: CredentialStore {
    /// The number of times that a change is made anew because somebody else was quicker.
    static let attemptLimit = 32
    /// The number of records that are read at once.
    private static let pageSize: EtcdNumber = 500

    let client: EtcdClient
    let prefix: String
    /// The identifier of the configuration's vault key.
    let configuredKey: [UInt8]
    let sealingKeys: Mutex<KnownSealingKeys>
    /// The keys of the records, which are known once etcd has been asked for something; nil before.
    let knownKeys = Mutex<RecordKeys?>(nil)
    /// The changes of keys that the watch tells of.
    let keyChanges = KeyChanges()
    /// The time for which a turn at exchanging lasts when its replica is heard of no more; whole seconds.
    let lease: Duration
    /// The time that an exchange may take: less than the lease, of which nobody then has a second one, even when it
    /// cannot be prolonged.
    let exchangeLimit: Duration
    /// This replica, for a person who looks into etcd.
    let holder: String
    let watches = Mutex(Watches())
    let restoration = Mutex(EtcdRestoration())

    /// Asks etcd for nothing yet.
    ///
    /// - Parameters:
    ///   - prefix: A prefix of all keys, which nobody else uses.
    ///   - key: The key to seal under.
    ///   - lease: The time for which a turn at exchanging lasts when its replica is heard of no more: whole seconds.
    ///   - exchangeLimit: The time that an exchange may take. Nil: two thirds of the lease.
    ///   - holder: This replica, for a person who looks into etcd.
    package init(
        client: EtcdClient,
        prefix: String,
        key: VaultKey,
        lease: Duration = .seconds(15),
        exchangeLimit: Duration? = nil,
        holder: String = ProcessInfo.processInfo.hostName
    ) {
        self.lease = lease
        self.exchangeLimit = exchangeLimit ?? lease * 2 / 3
        self.holder = holder
        self.client = client
        self.prefix = prefix
        configuredKey = key.identifier
        sealingKeys = Mutex(KnownSealingKeys(RecordSealingKey(key)))
    }

    // MARK: CredentialStore

    package func isSame(as other: any CredentialStore) -> Bool {
        guard let other = other as? EtcdVault else { return false }
        return prefix == other.prefix && configuredKey == other.configuredKey && client.shares(serverWith: other.client)
    }

    package func check() async throws(VaultError) {
        _ = try await keys()
        // They may have been known for long.
        try await followSealingKeys()
    }

    package func load(_ name: CredentialName) async throws(VaultError) -> StoredCredential? {
        let keys = try await keys()
        let key = keys.credential(name)
        return try await open(try await read(key), as: key, of: name, keys)
    }

    package func change(
        _ name: CredentialName,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        try await change(name, in: nil, decide)
    }

    /// - Parameter turn: The turn in which alone it is changed; nil: in whosever.
    /// - Throws: ``VaultError/turnLost(_:)`` when the turn is over.
    func change(
        _ name: CredentialName,
        in turn: EtcdTurn?,
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        let keys = try await keys()
        let key = keys.credential(name)
        var pair = try await read(key, isUrgent: turn != nil)
        // What this call has written: an answer that was lost leaves open whether it was.
        var written: Set<Data> = []
        for _ in 0..<Self.attemptLimit {
            if let value = pair?.value?.data, written.contains(value) { return true }
            var stored: StoredCredential?
            // A record that cannot be opened is one of a credential that was stored.
            var isUnusable = false
            do throws(VaultError) {
                stored = try await open(pair, as: key, of: name, keys)
            } catch {
                guard case .recordUnusable = error else { throw error }
                isUnusable = true
            }
            let replacement: StoredCredential?
            switch decide(stored) {
            case .keep: return false
            case .store(let credential): replacement = credential
            case .remove:
                guard stored != nil || isUnusable else { return false }
                replacement = nil
            }
            let known = sealingKeys.withLock { $0 }
            let value = try seal(
                CredentialRecord(name: name, credential: replacement),
                under: known.keys,
                as: key,
                inPlaceOf: pair
            )
            written.insert(value)
            switch try await put(value, at: key, inPlaceOf: pair, in: turn, ifCurrent: known) {
            case .written: return true
            case .found(let other): pair = other
            }
        }
        throw .etcdRefused(etcd: client.label, reason: "others change \(name) all the time")
    }

    package func listing() async throws(VaultError) -> VaultListing {
        let contents = try await contents()
        return VaultListing(names: contents.credentials.map(\.name), errors: contents.errors)
    }

    package func contents() async throws(VaultError) -> VaultContents {
        let keys = try await keys()
        var contents = VaultContents()
        var range = EtcdRange(key: EtcdBytes(RecordKeys.credentials(prefix: prefix)))
        range.rangeEnd = EtcdBytes(Self.end(ofPrefix: range.key.data))
        range.limit = Self.pageSize
        while true {
            let page = try await send(range)
            for pair in page.kvs ?? [] {
                do throws(VaultError) {
                    let record = try await record(pair, as: String(decoding: pair.key.data, as: UTF8.self), keys)
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

    // MARK: Records

    enum PutResult {
        case written
        /// Somebody else was quicker; nil: by removing it.
        case found(EtcdKeyValue?)
    }

    func read(_ key: String, isUrgent: Bool = false) async throws(VaultError) -> EtcdKeyValue? {
        try await send(EtcdRange(key: EtcdBytes(key)), isUrgent: isUrgent).kvs?.first
    }

    /// - Parameter known: The keys under which the value was sealed: it is not written when there is a newer one.
    func put(
        _ value: Data,
        at key: String,
        inPlaceOf pair: EtcdKeyValue?,
        in turn: EtcdTurn?,
        ifCurrent known: KnownSealingKeys
    ) async throws(VaultError) -> PutResult {
        let key = EtcdBytes(key)
        let bytes = EtcdBytes(value)
        let mark = restoration.withLock { $0.mark }
        let result = try await send(
            EtcdTransaction(
                if: [
                    .written(key, at: pair?.modRevision ?? 0), .created(key, at: pair?.createRevision ?? 0),
                    known.areCurrent(prefix: prefix),
                ] + (turn.map { [$0.condition] } ?? []),
                [.put(bytes, at: key)],
                otherwiseReading: [key, EtcdBytes(RecordKeys.nextSealingKey(prefix: prefix))]
                    + (turn.map { [$0.key] } ?? [])
            ),
            isUrgent: turn != nil
        )
        if result.isCarriedOut {
            restoration.withLock { $0.saw(result.header.revision?.value ?? 0, since: mark) }
            return .written
        }
        let found = result.found.first ?? nil
        // The answer to the same request, made of another server before, may have been lost.
        if let turn, found?.value != bytes, (result.found.last ?? nil)?.createRevision != turn.createRevision {
            turn.finish(.lost)
            throw .turnLost(turn.name)
        }
        let next = result.found.dropFirst().first ?? nil
        if next?.modRevision != known.next?.modRevision { try await followSealingKeys() }
        return .found(found)
    }

    private func seal(
        _ record: CredentialRecord,
        under keys: RecordSealingKeys,
        as key: String,
        inPlaceOf pair: EtcdKeyValue?
    ) throws(VaultError) -> Data {
        var contents = try record.contents()
        defer { contents.wipe() }
        do throws(RecordFault) {
            return try SealedRecord.seal(contents, under: keys, as: key, inPlaceOf: pair)
        } catch {
            throw .recordUnusable(record: "\(record.name)", error)
        }
    }

    /// Returns nil when there is none, or it was removed.
    func open(
        _ pair: EtcdKeyValue?,
        as key: String,
        of name: CredentialName,
        _ keys: RecordKeys
    ) async throws(VaultError) -> StoredCredential? {
        guard let pair else { return nil }
        let record = try await record(pair, as: key, keys)
        guard record.name == name else { throw .recordUnusable(record: "\(name)", .damaged) }
        return record.credential
    }

    func record(
        _ pair: EtcdKeyValue,
        as key: String,
        _ keys: RecordKeys
    ) async throws(VaultError) -> CredentialRecord {
        var contents = try await contents(of: pair, as: key)
        defer { contents.wipe() }
        do throws(RecordFault) {
            let record = try CredentialRecord(contents: contents)
            guard keys.credential(record.name) == key else { throw .damaged }
            return CredentialRecord(name: record.name, credential: usable(record.credential, of: pair))
        } catch {
            throw .recordUnusable(record: key, error)
        }
    }

    // MARK: Requests

    func send<Request: EtcdRequest>(
        _ request: Request,
        isUrgent: Bool = false
    ) async throws(VaultError) -> Request.Response {
        do throws(EtcdFailure) {
            return try await client.send(request, isUrgent: isUrgent)
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
