import Credentials
import Synchronization

/// A turn at exchanging that all replicas keep to: a key of etcd that only one can make, and that goes away with a
/// lease.
///
/// It counts as over as soon as the lease may have ended by this machine's own clock, counted from before etcd was
/// asked to prolong it: that is never later than etcd finds so. Whatever it stores, etcd stores only while the key is
/// there.
final class EtcdTurn: ExchangeTurn {
    private struct State {
        var lastsUntil: ContinuousClock.Instant
        var end: TurnEnd?
    }

    let stored: StoredCredential?
    let name: CredentialName
    let key: EtcdBytes
    /// The revision at which the key was made.
    let createRevision: EtcdNumber
    let lease: EtcdNumber
    private let vault: EtcdVault
    private let clock = ContinuousClock()
    private let state: Mutex<State>

    /// - Parameter lastsUntil: The lease's end, if it is not prolonged.
    init(
        of name: CredentialName,
        stored: StoredCredential?,
        key: EtcdBytes,
        createRevision: EtcdNumber,
        lease: EtcdNumber,
        lastsUntil: ContinuousClock.Instant,
        in vault: EtcdVault
    ) {
        self.name = name
        self.stored = stored
        self.key = key
        self.createRevision = createRevision
        self.lease = lease
        self.vault = vault
        state = Mutex(State(lastsUntil: lastsUntil))
    }

    var end: TurnEnd? {
        let now = clock.now
        return state.withLock { state in
            if state.end == nil, now >= state.lastsUntil { state.end = .lost }
            return state.end
        }
    }

    /// The comparison of a transaction that is to be carried out in this turn alone.
    var condition: EtcdTransaction.Comparison { .created(key, at: createRevision) }

    /// The lease's end, if it is not prolonged.
    var lastsUntil: ContinuousClock.Instant { state.withLock { $0.lastsUntil } }

    func change(
        _ decide: @escaping @Sendable (StoredCredential?) -> CredentialChange
    ) async throws(VaultError) -> Bool {
        guard end != .lost else { throw .turnLost(name) }
        // What an exchange brought cannot be had again: it is stored also when the exchange is cancelled meanwhile, as
        // long as etcd finds that the turn goes on.
        let change = Task { () async -> Result<Bool, VaultError> in
            do throws(VaultError) {
                let isChanged = try await vault.change(name, in: self, decide)
                return .success(isChanged)
            } catch {
                return .failure(error)
            }
        }
        return try await change.value.get()
    }

    /// The lease goes on.
    func prolong(until instant: ContinuousClock.Instant) {
        state.withLock { $0.lastsUntil = max($0.lastsUntil, instant) }
    }

    /// The turn is over before its time; the first reason counts.
    func finish(_ end: TurnEnd) {
        state.withLock { $0.end = $0.end ?? end }
    }
}
