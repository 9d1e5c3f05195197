import Bytes
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

    /// The fingerprints of the passwords, each pair's from its first one on.
    private var passwords = BoundedCache<LoginAttempt.Pair, [Int], NIODeadline>(limit: capacity)

    var pairCount: Int { passwords.count }

    /// Returns whether an attempt has one of the first passwords for its name; it is remembered as one.
    mutating func include(_ attempt: LoginAttempt, at now: NIODeadline) -> Bool {
        // All names of nobody together would otherwise be any number.
        guard attempt.login.isListed else { return false }
        let fingerprint = attempt.login.fingerprint
        guard var known = passwords.peek(attempt.pair, at: now) else {
            guard !passwords.isFull(at: now) else { return false }
            passwords.insert([fingerprint], for: attempt.pair, until: now + Self.period, at: now)
            return true
        }
        if known.contains(fingerprint) { return true }
        guard known.count < Self.count else { return false }
        known.append(fingerprint)
        passwords.replaceValue(known, for: attempt.pair)
        return true
    }

    mutating func removeAll() {
        passwords.removeAll()
    }
}
