import Credentials
import Synchronization

/// The conversation of a replica with others about the clock of an API's provider. It lasts as long as the
/// ``ProviderClock``, whatever is reloaded.
final class ClockSharing: Sendable {
    private struct State {
        var machine = ClockSharingStateMachine()
        weak var store: (any SharedClocks)?
        /// The run that was begun last.
        var run = 0
        var wakes: AsyncStream<Void>.Continuation?
        /// The moment at which the clock was learnt from the provider, until that is told.
        var learntAt: ContinuousClock.Instant?
    }

    private let state = Mutex(State())

    /// The provider's clock was learnt from its own answer.
    func learnt() {
        let wakes = state.withLock { state in
            state.learntAt = .now
            return state.wakes
        }
        wakes?.yield()
    }

    /// Notes that what was learnt last is not the provider's clock.
    func unlearnt() {
        let wakes = state.withLock { state in
            state.learntAt = nil
            state.machine.unlearnt()
            return state.wakes
        }
        wakes?.yield()
    }

    /// Begins to share the clock by a store. Whoever has before, for an earlier configuration, ends.
    func begin(by store: any SharedClocks) -> Session {
        let (wakes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        let (run, earlier) = state.withLock { state in
            if state.store !== store { state.machine.storeChanged() }
            state.store = store
            state.run += 1
            let earlier = state.wakes
            state.wakes = continuation
            return (state.run, earlier)
        }
        earlier?.finish()
        return Session(sharing: self, number: run, wakes: wakes, continuation: continuation)
    }

    /// The sharing for one configuration.
    struct Session: Sendable {
        fileprivate let sharing: ClockSharing
        fileprivate let number: Int
        /// The moments at which the record is to be read. They end with the run.
        let wakes: AsyncStream<Void>
        fileprivate let continuation: AsyncStream<Void>.Continuation

        /// Indicates whether no later one has begun.
        var isGoingOn: Bool { sharing.state.withLock { $0.run == number } }

        func wake() { continuation.yield() }

        /// Indicates whether the clock was learnt from the provider, and others are still to be told.
        var isOnProbation: Bool { sharing.state.withLock { $0.learntAt != nil } }

        /// Tells others what was learnt, once it was in use for a while: the provider may refuse it, too.
        ///
        /// - Returns: The time at which it will have been; nil: there is nothing to wait for.
        func tellLearnt(after probation: Duration) -> ContinuousClock.Instant? {
            sharing.state.withLock { state in
                guard state.run == number, let learntAt = state.learntAt else { return nil }
                guard .now >= learntAt + probation else { return learntAt + probation }
                state.learntAt = nil
                state.machine.learnt()
                return nil
            }
        }

        /// - Returns: Nil when the run is over.
        func event<Value>(_ event: (inout ClockSharingStateMachine) -> Value) -> Value? {
            sharing.state.withLock { state in state.run == number ? event(&state.machine) : nil }
        }
    }
}
