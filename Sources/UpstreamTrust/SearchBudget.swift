import Synchronization

/// How many issuers may still be tried for one chain. Certificates of one key under many names can be combined in
/// factorially many ways, and each try costs a signature's verification.
final class SearchBudget: Sendable {
    private let remaining: Mutex<Int>

    init(_ tries: Int) {
        self.remaining = Mutex(tries)
    }

    /// Takes as many of the tries wanted as are left.
    func take(_ wanted: Int) -> Int {
        self.remaining.withLock { remaining in
            let taken = min(wanted, max(remaining, 0))
            remaining -= wanted
            return taken
        }
    }

    /// More was wanted than there was.
    var isExceeded: Bool { self.remaining.withLock { $0 < 0 } }
}
