import Glibc
import Synchronization

/// The signals ignored (`nohup` does so) or blocked when this process was started: what it starts is to get the same.
struct InheritedSignals: Sendable, Equatable {
    /// The signals that a program may do something about.
    static let all: [Int32] = (1...64).filter { ![SIGKILL, SIGSTOP, 32, 33].contains($0) }
    /// The state in which no signal is ignored and none blocked.
    static let none = InheritedSignals(ignored: 0, blocked: 0)

    /// A bit for each signal: the lowest for number 1.
    let ignored: UInt64
    let blocked: UInt64

    func ignores(_ signal: Int32) -> Bool { ignored >> (UInt64(signal) - 1) & 1 == 1 }
    func blocks(_ signal: Int32) -> Bool { blocked >> (UInt64(signal) - 1) & 1 == 1 }
}

extension InheritedSignals {
    private static let mask = Atomic<UInt64>(0)

    /// The signals that were blocked at ``noteMask()``: a bit for each.
    static var blockedAtStart: UInt64 { mask.load(ordering: .relaxed) }

    /// Keeps which signals are blocked. To be called on the first thread, before there is another.
    static func noteMask() {
        var blocked = sigset_t()
        pthread_sigmask(SIG_BLOCK, nil, &blocked)
        let bits = all.filter { sigismember(&blocked, $0) == 1 }.reduce(UInt64(0)) { $0 | 1 << (UInt64($1) - 1) }
        mask.store(bits, ordering: .relaxed)
    }

    /// - Parameters:
    ///   - status: The text of `/proc/self/status` (proc(5)).
    ///   - blocked: A bit for each signal. The text has those of the first thread, as they are by now.
    init(status: String, blocked: UInt64) {
        func mask(_ name: String) -> UInt64 {
            for line in status.split(separator: "\n") where line.hasPrefix("\(name):\t") {
                return UInt64(line.dropFirst(name.utf8.count + 2), radix: 16) ?? 0
            }
            return 0
        }
        self.init(ignored: mask("SigIgn"), blocked: blocked)
    }
}
