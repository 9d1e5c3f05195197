import Credentials

/// The progress of a watch of etcd over all the servers at which it is tried: what its user is told, and when it is
/// tried again.
struct EtcdWatchProgress {
    private static let leastPause = Duration.milliseconds(100)
    private static let mostPause = Duration.seconds(1)

    private let serverCount: Int
    private let stateChanged: (CredentialWatchState) -> Void
    /// The number of times that it has failed since it went on.
    private var failures = 0
    private var isInterruptionTold = false
    private var nextPause = Self.leastPause

    private(set) var state = CredentialWatchState() {
        didSet { stateChanged(state) }
    }

    /// - Parameter serverCount: The number of servers, of which one is tried after the other.
    init(serverCount: Int, stateChanged: @escaping (CredentialWatchState) -> Void = { _ in }) {
        self.serverCount = serverCount
        self.stateChanged = stateChanged
    }

    /// Notes that a server tells from now on what happens.
    /// - Returns: Whether the user is to be told that it goes on.
    mutating func noteBeginning() -> Bool {
        defer { isInterruptionTold = false }
        failures = 0
        nextPause = Self.leastPause
        if state.interruption != nil { state.interruption = nil }
        return isInterruptionTold
    }

    /// Notes that all that has happened up to a revision has been told.
    mutating func noteTold(upTo revision: Int64) { state.revision = revision }

    /// Notes that the changes since the revision that was told last cannot be known any more.
    mutating func noteLoss() { state.revision = nil }

    /// Notes that it has ended, or could not begin. Another server may go on within a moment: the user is told when
    /// none does, and at once of what will not be otherwise at another one.
    /// - Returns: Whether the user is to be told so.
    mutating func noteFailure(_ reason: VaultError, at now: ContinuousClock.Instant) -> Bool {
        failures += 1
        state.interruption = .init(since: state.interruption?.since ?? now, reason: reason)
        let isOfServer = if case .etcdUnavailable = reason { true } else { false }
        guard !isInterruptionTold, !isOfServer || failures >= serverCount else { return false }
        isInterruptionTold = true
        return true
    }

    /// Returns the time to wait before it is tried again.
    mutating func pause() -> Duration {
        defer { nextPause = min(nextPause * 2, Self.mostPause) }
        return nextPause
    }
}
