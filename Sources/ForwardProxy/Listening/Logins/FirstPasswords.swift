import NIOCore
import Routing

/// The first few passwords for each client's name from each address, which need not stand in the address's line.
///
/// So many guesses at each client's name are checked beside those in line: the number of names, and with it that of
/// guesses, is the configuration's. Where there are more of them than are remembered, further ones stand in line.
///
/// A plain value, whose memory is bounded.
struct FirstPasswords {
    /// Different passwords for a name.
    static let count = 3
    /// The time that one waits to be checked, at most: it is their number that is bounded.
    static let longestWait = TimeAmount.seconds(2)
    /// The time until as many others have come to be the first ones.
    static let period = TimeAmount.minutes(15)
    /// Addresses and names that are remembered.
    static let capacity = 16 * 1024
    /// The pause between two searches for what may be forgotten.
    private static let sweepPause = TimeAmount.seconds(1)

    private struct Entry {
        var since: NIODeadline
        var fingerprints: [Int]
    }

    private var entries: [LoginAttempt.Pair: Entry] = [:]
    private var nextSweep = NIODeadline.distantPast

    var pairCount: Int { entries.count }

    /// Returns whether an attempt has one of the first passwords for its name; it is remembered as one.
    mutating func include(_ attempt: LoginAttempt, at now: NIODeadline) -> Bool {
        // All names of nobody together would otherwise be any number.
        guard attempt.login.isListed else { return false }
        let fingerprint = attempt.login.fingerprint
        guard var entry = entries[attempt.pair], entry.since + Self.period > now else {
            guard entries[attempt.pair] != nil || hasRoom(at: now) else { return false }
            entries[attempt.pair] = Entry(since: now, fingerprints: [fingerprint])
            return true
        }
        if entry.fingerprints.contains(fingerprint) { return true }
        guard entry.fingerprints.count < Self.count else { return false }
        entry.fingerprints.append(fingerprint)
        entries[attempt.pair] = entry
        return true
    }

    private mutating func hasRoom(at now: NIODeadline) -> Bool {
        guard entries.count >= Self.capacity else { return true }
        guard now >= nextSweep else { return false }
        nextSweep = now + Self.sweepPause
        entries = entries.filter { $0.value.since + Self.period > now }
        return entries.count < Self.capacity
    }

    mutating func removeAll() {
        entries.removeAll()
    }
}
