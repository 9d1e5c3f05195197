import AdminServer
import Credentials
import FoundationEssentials

extension StoreStatus {
    /// - Parameters:
    ///   - failure: The reason why the store cannot be read; nil: it can.
    ///   - shared: The state that it has told; nil: it is this machine's.
    init(
        kind: Kind,
        name: String,
        failure: VaultError?,
        _ shared: SharedStoreState?,
        now: Date,
        instant: ContinuousClock.Instant = .now
    ) {
        self.init(kind: kind, name: name, reason: failure.map { "\($0)" })
        guard let shared else { return }
        key = shared.keys.map(Key.init)
        records = shared.records
        revision = shared.revision.map { Int($0) }
        turns = shared.turns.map { TurnStatus(api: $0.name?.api, account: $0.name?.account, holder: $0.holder) }
        turnsLeftOut = shared.turnsLeftOut
        seenRevision = shared.watch?.revision.map { Int($0) }
        if let interruption = shared.watch?.interruption {
            let lag = max(0, (instant - interruption.since).components.seconds)
            lagSeconds = Int(lag)
            interruptedSince = now - TimeInterval(lag)
            self.interruption = "\(interruption.reason)"
            if let revision, let seenRevision { lagRevisions = max(0, revision - seenRevision) }
        } else if seenRevision != nil {
            // The server that tells of changes is asked all the time whether it goes on with the others: what it has
            // not told are others' revisions, not the vault's.
            lagSeconds = 0
            lagRevisions = 0
        }
    }
}

extension StoreStatus.Key {
    fileprivate init(_ state: SharedStoreState.KeyState) {
        self =
            switch state {
            case .configured: .current
            case .rekeying(hasNewKey: true): .new
            case .rekeying(hasNewKey: false): .old
            case .replaced: .dead
            }
    }
}
