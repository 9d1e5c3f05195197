import Logging
import NIOCore
import Synchronization

/// Slows guesses at passwords, for all listeners and event loops, and tells of them in the log: once a minute, with
/// their number. Decides nothing; ``LoginThrottle`` does.
final class LoginGuard: Sendable {
    private static let reportInterval = TimeAmount.minutes(1)

    private struct State {
        var throttle = LoginThrottle()
        var report = FailedLoginReport()
        var failed = 0
        var unchecked = 0
        var lastReport: NIODeadline?
        var reportIsDue = false
    }

    private let loop: any EventLoop
    private let clock: any ProxyClock
    private let logger: Logger
    private let hasFailures = Atomic(false)
    private let state = Mutex(State())

    /// - Parameter loop: Where the time until the next line of the log passes.
    init(loop: any EventLoop, clock: any ProxyClock, logger: Logger) {
        self.loop = loop
        self.clock = clock
        self.logger = logger
    }

    /// Indicates whether any log-in may have to wait; otherwise none need be asked about.
    var isActive: Bool { hasFailures.load(ordering: .relaxed) }

    /// Log-ins that were wrong, and those that were refused unchecked.
    var counts: (failed: Int, unchecked: Int) { state.withLock { ($0.failed, $0.unchecked) } }

    /// Returns when an attempt is to be checked.
    func turn(of attempt: LoginAttempt) -> LoginThrottle.Turn {
        let now = clock.now
        let (turn, isToBeTold) = state.withLock { state in
            guard state.throttle.isActive(at: now) else {
                state.throttle.forgetFailures()
                hasFailures.store(false, ordering: .relaxed)
                return (LoginThrottle.Turn.now, false)
            }
            let turn = state.throttle.turn(of: attempt, at: now)
            guard case .never = turn else { return (turn, false) }
            state.unchecked += 1
            state.report.note(attempt, isChecked: false)
            return (turn, Self.begin(&state))
        }
        if isToBeTold { scheduleReport() }
        return turn
    }

    /// Returns when a turn has come.
    func wait(until deadline: NIODeadline) async {
        let promise = loop.makePromise(of: Void.self)
        loop.execute { [self] in
            clock.schedule(at: deadline, on: loop) { promise.succeed() }
        }
        try? await promise.futureResult.get()
    }

    /// - Parameter hasWaited: Whether its turn was not at once.
    func failed(_ attempt: LoginAttempt, hasWaited: Bool) {
        let isToBeTold = state.withLock { state in
            state.throttle.failed(attempt, hasWaited: hasWaited, at: clock.now)
            hasFailures.store(true, ordering: .relaxed)
            state.failed += 1
            state.report.note(attempt, isChecked: true)
            return Self.begin(&state)
        }
        if isToBeTold { scheduleReport() }
    }

    func succeeded(_ attempt: LoginAttempt, hasWaited: Bool) {
        state.withLock { $0.throttle.succeeded(attempt, hasWaited: hasWaited, at: clock.now) }
    }

    // MARK: Log

    private static func begin(_ state: inout State) -> Bool {
        guard !state.reportIsDue else { return false }
        state.reportIsDue = true
        return true
    }

    private func scheduleReport() {
        let now = clock.now
        let last = state.withLock { $0.lastReport }
        guard let last, last + Self.reportInterval > now else { return report() }
        loop.execute { [self] in
            clock.schedule(at: last + Self.reportInterval, on: loop) { self.report() }
        }
    }

    /// Tells of what has not been told of yet.
    func report() {
        let report = state.withLock { state in
            defer { state.report = FailedLoginReport() }
            state.reportIsDue = false
            state.lastReport = clock.now
            return state.report
        }
        guard !report.isEmpty else { return }
        logger.warning(
            "log-ins failed: whoever tries more is slowed",
            metadata: [
                "failed": .stringConvertible(report.failed), "refused_unchecked": .stringConvertible(report.unchecked),
                "addresses": "\(report.addressText)", "names": "\(report.nameText)",
            ]
        )
    }
}
