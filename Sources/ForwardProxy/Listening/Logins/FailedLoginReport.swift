import Bytes
import Routing

/// The log-ins that have failed since the last line of the log about them.
struct FailedLoginReport {
    /// Addresses, and names, that are counted each by itself.
    private static let capacity = 256
    private static let shown = 3

    private(set) var failed = 0
    private(set) var unchecked = 0
    private var addresses: [PeerAddress: Int] = [:]
    private var names: [String: Int] = [:]
    private var unlisted = 0

    var isEmpty: Bool { failed == 0 && unchecked == 0 }

    /// - Parameter isChecked: False when it was refused without a look at its password.
    mutating func note(_ attempt: LoginAttempt, isChecked: Bool) {
        if isChecked { failed += 1 } else { unchecked += 1 }
        Self.count(attempt.peer, in: &addresses)
        if attempt.login.isListed { Self.count(attempt.name, in: &names) } else { unlisted += 1 }
    }

    private static func count<Key: Hashable>(_ key: Key, in counts: inout [Key: Int]) {
        guard counts[key] != nil || counts.count < capacity else { return }
        counts[key, default: 0] += 1
    }

    /// The addresses that most of them came from, each with its number.
    var addressText: String { Self.text(of: addresses) { "\($0)" } }

    /// The names that most of them gave, likewise, made printable. Those of nobody stand in one number.
    var nameText: String {
        let listed = Self.text(of: names) { "\"\(PrintableText($0, limit: 64))\"" }
        guard unlisted > 0 else { return listed }
        return listed + (listed.isEmpty ? "" : ", ") + "names of no client (\(unlisted))"
    }

    private static func text<Key>(of counts: [Key: Int], _ describe: (Key) -> String) -> String {
        let most = counts.map { (text: describe($0.key), count: $0.value) }
            .sorted { ($1.count, $0.text) < ($0.count, $1.text) }
        let more = most.count - shown
        return most.prefix(shown).map { "\($0.text) (\($0.count))" }.joined(separator: ", ")
            + (more > 0 ? ", and \(more) more" : "")
    }
}
