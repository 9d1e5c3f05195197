import Credentials
import Synchronization

/// The time that the requests to one API carry, shared by all event loops.
final class ProviderClock: Sendable {
    /// Monotonic timestamps that are more seconds ahead of the clock than this may be refused for that. Providers
    /// commonly take 300.
    private static let longestLead: UInt64 = 240

    /// The time for which an offset that was refused is not learnt again, in seconds.
    private static let refutedFor: Int64 = 60

    /// The conversation of this replica with others about it.
    let sharing = ClockSharing()
    private let machine: any ProxyClock
    private let offset = Atomic<Int64>(0)
    private let isKnown = Atomic<Bool>(false)
    private let latest = Atomic<UInt64>(0)
    /// An offset that was learnt and refused, and until when it is not learnt again, by this machine's clock.
    private let refuted = Mutex<(offset: Int64, until: Int64)?>(nil)

    /// - Parameter machine: This machine's clock.
    init(machine: any ProxyClock) {
        self.machine = machine
    }

    /// This machine's time, in seconds since 1970-01-01T00:00:00Z.
    var machineSeconds: Int64 { machine.coarseWallSeconds }

    /// The provider's time minus this machine's, in seconds, as far as it is known.
    var currentOffset: Int64 { offset.load(ordering: .relaxed) }

    /// The same; nil as long as the provider has not told it.
    var knownOffset: Int64? { isKnown.load(ordering: .relaxed) ? currentOffset : nil }

    /// Seconds since 1970-01-01T00:00:00Z, by the provider's clock.
    ///
    /// Monotonic ones are each later than the one before, whichever event loop asked for it: more than one a second are
    /// ahead of the clock, until the provider refuses that (``learn(offset:)``) or the clock has caught up.
    func timestamp(_ mode: TimestampMode) -> UInt64 {
        let now = UInt64(max(0, machine.coarseWallSeconds + currentOffset))
        guard mode == .monotonic else { return now }
        var previous = latest.load(ordering: .relaxed)
        while true {
            let next = max(now, previous + 1)
            let (exchanged, original) = latest.compareExchange(
                expected: previous,
                desired: next,
                ordering: .relaxed
            )
            if exchanged { return next }
            previous = original
        }
    }

    /// The provider has refused a timestamp, and said what time it has.
    ///
    /// - Returns: Whether that changes the timestamps.
    func learn(offset new: Int64) -> Bool {
        let now = machine.coarseWallSeconds
        if let refuted = refuted.withLock({ $0 }), now < refuted.until, abs(new - refuted.offset) < 10 { return false }
        let old = offset.exchange(new, ordering: .relaxed)
        isKnown.store(true, ordering: .relaxed)
        return takeBackRefused(now: UInt64(max(0, now + new))) || abs(new - old) > 1
    }

    /// Forgets what was learnt last, which is not the provider's clock.
    ///
    /// - Returns: False when something else was learnt since.
    func unlearn(offset learnt: Int64, before: Int64) -> Bool {
        refuted.withLock { $0 = (learnt, machine.coarseWallSeconds + Self.refutedFor) }
        guard offset.compareExchange(expected: learnt, desired: before, ordering: .relaxed).exchanged else {
            return false
        }
        // The offset of a clock that nothing is known of is 0.
        if before == 0 { isKnown.store(false, ordering: .relaxed) }
        return true
    }

    /// Monotonic timestamps so far ahead of the provider's clock were all refused: it does not compare later ones with
    /// them, and will take none before its clock has got there.
    private func takeBackRefused(now: UInt64) -> Bool {
        var previous = latest.load(ordering: .relaxed)
        while previous > now + Self.longestLead {
            let (exchanged, original) = latest.compareExchange(
                expected: previous,
                desired: now,
                ordering: .relaxed
            )
            if exchanged { return true }
            previous = original
        }
        return false
    }
}
