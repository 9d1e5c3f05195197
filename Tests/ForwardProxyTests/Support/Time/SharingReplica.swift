import Credentials

@testable import ForwardProxy

/// A replica without a process: it does what its state machine says, when a test lets it.
struct SharingReplica {
    typealias Action = ClockSharingStateMachine.Action

    private(set) var machine = ClockSharingStateMachine()
    /// Seconds by which its own clock is wrong.
    let wrongBy: Int64
    /// The provider's time minus its own.
    private(set) var offset: Int64?
    private var isOnProbation = false

    init(wrongBy: Int64 = 0) { self.wrongBy = wrongBy }

    /// Learns from the provider that its clock is ahead of the right time.
    mutating func learn(ahead: Int64) {
        offset = ahead - wrongBy
        isOnProbation = false
        machine.learnt()
    }

    /// Learns the same, and it is not known yet whether the provider takes it.
    mutating func suspect(ahead: Int64) {
        offset = ahead - wrongBy
        isOnProbation = true
    }

    mutating func unlearn(to before: Int64? = nil) {
        offset = before
        isOnProbation = false
        machine.unlearnt()
    }

    /// Refuses the time that was to be taken.
    mutating func refuse() {
        offset = nil
        machine.refused()
    }

    mutating func storeChanged() { machine.storeChanged() }

    /// Decides in view of what was read, and changes its own clock.
    /// - Parameter time: The right time, in seconds.
    mutating func decide(_ reading: SharedClockReading, at time: Int64) -> Action {
        let estimate = ClockSharingStateMachine.Estimate(
            machine: time + wrongBy,
            offset: offset,
            isOnProbation: isOnProbation
        )
        let action = machine.read(reading, estimate, from: Self.instant(time), at: Self.instant(time))
        switch action {
        case .take(let offset): self.offset = offset
        case .drop(_, let before): offset = before == 0 ? nil : before
        case .rest, .restUntil, .write, .answer: break
        }
        return action
    }

    /// Carries out what it has decided.
    /// - Returns: Whether it was written.
    mutating func write(
        _ action: Action,
        inPlaceOf reading: SharedClockReading,
        to clock: inout RecordedClock,
        at time: Int64
    ) -> Bool {
        switch action {
        case .write(let record), .answer(let record):
            guard let revision = clock.write(record, inPlaceOf: reading) else { return false }
            machine.wrote(record, at: revision, Self.instant(time))
            return true
        case .rest, .restUntil, .take, .drop: return false
        }
    }

    /// Reads, decides and writes, until it rests.
    /// - Returns: All that it has done.
    @discardableResult
    mutating func settle(_ clock: inout RecordedClock, at time: Int64) -> [Action] {
        var actions: [Action] = []
        while true {
            let reading = clock.read()
            let action = decide(reading, at: time)
            if action == .rest { return actions }
            actions.append(action)
            if case .restUntil = action { return actions }
            _ = write(action, inPlaceOf: reading, to: &clock, at: time)
        }
    }

    static func instant(_ time: Int64) -> ContinuousClock.Instant { start + .seconds(time) }
    private static let start = ContinuousClock.now
}
