import Bytes
import NIOCore
import Routing

/// Slows log-ins down where others have failed, by the address that they come from and by the name that they give.
///
/// 1. An attempt waits before it is checked, so that the time of its answer does not tell whether it was right. The
///    attempts of one address take turns, however many connections they come by; each turn is later than the one before
///    by the address's delay. One whose turn would come too late is refused unchecked.
///    The first few passwords for a client's name from there are not in line: each is checked after the delay alone, or
///    a shorter one, however many guesses at other names there are.
/// 2. By its name an attempt is only delayed, by a little and beside all others: whoever guesses at a name does not
///    keep its owner out.
/// 3. Who has logged in from an address as somebody lately is not slowed by what others do, at that address by other
///    names or with that name elsewhere: only failures of that very name from there count.
/// 4. The same wrong password again is no guess, and costs nothing: a client that has an old password and retries slows
///    nobody.
///
/// A plain value, whose memory is bounded.
struct LoginThrottle {
    enum Turn: Equatable {
        case now
        case at(NIODeadline)
        /// One that is not to be checked. In so many seconds it might be.
        case never(retryAfter: Int)
    }

    /// The time that an attempt waits at most.
    static let longestWait = TimeAmount.seconds(10)
    /// The time for which a log-in is remembered that was right.
    static let trust = TimeAmount.hours(24)
    /// The time without a failure after which nothing is slowed any more: as long as it takes until all are forgiven,
    /// and more.
    static let memory = TimeAmount.minutes(15)
    private static let capacity = 4096
    /// Wrong passwords that are known again, for each address.
    private static let wrongKept = 8

    /// The source whose attempts take turns.
    private enum Source: Hashable {
        case peer(PeerAddress)
        /// One who has logged in lately.
        case pair(LoginAttempt.Pair)
    }

    /// The time that the next log-in of one address, or of one name, waits.
    ///
    /// The first few failures cost nothing; each further one doubles the time, up to a limit. A minute without a failure
    /// takes one off.
    private struct Penalty {
        private static let shortest = TimeAmount.milliseconds(250)
        private static let forgiving = TimeAmount.minutes(1)

        /// Failures that cost nothing.
        private let free: Int
        /// Doublings until the time grows no more.
        private let doublings: Int
        private var failures = 0
        private var countedAt = NIODeadline.distantPast

        init(free: Int, doublings: Int) {
            self.free = free
            self.doublings = doublings
        }

        /// Returns the time that an attempt has to wait now.
        func delay(at now: NIODeadline) -> TimeAmount {
            let over = count(at: now) - free
            return over < 0 ? .zero : .nanoseconds(Self.shortest.nanoseconds << Int64(min(over, doublings)))
        }

        mutating func add(at now: NIODeadline) {
            // More than count would only take longer to be forgiven.
            failures = min(count(at: now) + 1, free + doublings)
            countedAt = now
        }

        mutating func remove(at now: NIODeadline) {
            failures = max(count(at: now) - 1, 0)
            countedAt = now
        }

        private func count(at now: NIODeadline) -> Int {
            guard failures > 0 else { return 0 }
            return max(0, failures - Int((now - countedAt).nanoseconds / Self.forgiving.nanoseconds))
        }
    }

    private struct Record {
        var penalty = Penalty(free: 5, doublings: 5)
        /// The last turn that was given.
        var lastTurn = NIODeadline.distantPast
        /// The fingerprints of the latest wrong passwords.
        var wrong: [Int] = []
    }

    private var records = BoundedCache<Source, Record, Never>(limit: LoginThrottle.capacity)
    private var names = BoundedCache<String, Penalty, Never>(limit: LoginThrottle.capacity)
    private var good = BoundedCache<LoginAttempt.Pair, Void, NIODeadline>(limit: LoginThrottle.capacity)
    private var first = FirstPasswords()
    private var lastFailure = NIODeadline.distantPast

    /// Addresses and names that anything is remembered of.
    var recordCount: Int { records.count + names.count + good.count + first.pairCount }

    /// Returns whether an attempt may have to wait.
    func isActive(at now: NIODeadline) -> Bool { lastFailure + Self.memory > now }

    /// Returns when an attempt is to be checked. One that has to wait counts as failed until it is known not to have.
    mutating func turn(of attempt: LoginAttempt, at now: NIODeadline) -> Turn {
        let (source, isGood) = source(of: attempt, at: now)
        var record = records.value(for: source) ?? Record()
        if record.wrong.contains(attempt.login.fingerprint) { return .now }
        var turn = now
        let delay = record.penalty.delay(at: now)
        if delay > .zero, !isGood, first.include(attempt, at: now) {
            turn = now + min(delay, FirstPasswords.longestWait)
        } else if delay > .zero {
            turn = max(now, record.lastTurn) + delay
            guard turn - now <= Self.longestWait else {
                let seconds = (turn - now - Self.longestWait).nanoseconds / 1_000_000_000 + 1
                return .never(retryAfter: Int(seconds))
            }
            record.lastTurn = turn
        }
        if !isGood, let penalty = names.value(for: attempt.name) { turn = max(turn, now + penalty.delay(at: now)) }
        guard turn > now else { return .now }
        record.penalty.add(at: now)
        records.insert(record, for: source)
        return .at(turn)
    }

    private mutating func source(of attempt: LoginAttempt, at now: NIODeadline) -> (Source, isGood: Bool) {
        if good.value(for: attempt.pair, at: now) != nil { return (.pair(attempt.pair), true) }
        return (.peer(attempt.peer), false)
    }

    /// An attempt was wrong.
    ///
    /// - Parameter hasWaited: Whether its turn was not at once.
    mutating func failed(_ attempt: LoginAttempt, hasWaited: Bool, at now: NIODeadline) {
        lastFailure = now
        let (source, isGood) = source(of: attempt, at: now)
        var record = records.value(for: source) ?? Record()
        guard !record.wrong.contains(attempt.login.fingerprint) else { return }
        if record.wrong.count == Self.wrongKept { record.wrong.removeFirst() }
        record.wrong.append(attempt.login.fingerprint)
        if !hasWaited { record.penalty.add(at: now) }
        records.insert(record, for: source)
        guard !isGood else { return }
        var penalty = names.value(for: attempt.name) ?? Penalty(free: 10, doublings: 3)
        penalty.add(at: now)
        names.insert(penalty, for: attempt.name)
    }

    /// An attempt was right.
    mutating func succeeded(_ attempt: LoginAttempt, hasWaited: Bool, at now: NIODeadline) {
        if hasWaited {
            let source = source(of: attempt, at: now).0
            if var record = records.value(for: source) {
                record.penalty.remove(at: now)
                records.insert(record, for: source)
            }
        }
        good.insert((), for: attempt.pair, until: now + Self.trust, at: now)
    }

    /// Forgets all failures: no log-in has failed for a while.
    mutating func forgetFailures() {
        records.removeAll()
        names.removeAll()
        first.removeAll()
    }
}
