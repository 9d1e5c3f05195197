package import Settings
import Synchronization

/// One listener: who may ask it, when it listens, and when it is to end.
///
/// The access rule is the listener's own. While one takes the place of another, each is judged by the settings that it
/// was opened with: a token that is due on the new address is due there at once, and one that was due on the old
/// address is due there to the end.
package final class AdminListener: Sendable {
    private enum Outcome {
        case awaited([CheckedContinuation<Void, any Error>])
        case known((any Error)?)
    }

    /// The address to listen on; nil when the listener is switched off.
    let address: ListenAddress?
    /// The answers that end only with it.
    let streams = ListenerStreams()
    private let currentRule: Mutex<AccessRule>
    private let outcome = Mutex(Outcome.awaited([]))
    private let bound = Mutex<ListenAddress?>(nil)
    private let stops: AsyncStream<Never>
    private let stopping: AsyncStream<Never>.Continuation

    init(_ settings: AdminListenerSettings?) {
        address = settings?.address
        currentRule = Mutex(AccessRule(settings))
        (stops, stopping) = AsyncStream.makeStream()
    }

    /// The rule for who may ask.
    var rule: AccessRule {
        get { currentRule.withLock { $0 } }
        set { currentRule.withLock { $0 = newValue } }
    }

    /// The address that it listens on, with the port that was chosen where ``address`` leaves it open; nil before it
    /// listens.
    package var boundAddress: ListenAddress? { bound.withLock { $0 } }

    func listens(on address: ListenAddress?) {
        bound.withLock { $0 = address }
        report(nil)
    }

    /// The first report counts.
    /// - Parameter error: The reason why there is no listener; nil: it listens.
    func report(_ error: (any Error)?) {
        let waiting = outcome.withLock { outcome -> [CheckedContinuation<Void, any Error>] in
            guard case .awaited(let waiting) = outcome else { return [] }
            outcome = .known(error)
            return waiting
        }
        for continuation in waiting { continuation.resume(with: Self.result(error)) }
    }

    /// Waits for the report.
    func done() async throws {
        try await withCheckedThrowingContinuation { continuation in
            let known = outcome.withLock { outcome -> Result<Void, any Error>? in
                switch outcome {
                case .awaited(let waiting):
                    outcome = .awaited(waiting + [continuation])
                    return nil
                case .known(let error): return Self.result(error)
                }
            }
            if let known { continuation.resume(with: known) }
        }
    }

    private static func result(_ error: (any Error)?) -> Result<Void, any Error> {
        error.map { .failure($0) } ?? .success(())
    }

    /// The reload that it was prepared for does not take place.
    package func abandon() {
        stop()
    }

    /// The listener is not wanted any more.
    func stop() {
        stopping.finish()
    }

    /// Returns when it is not, or when the task is cancelled.
    func stopped() async {
        for await _ in stops {}
    }
}
