import Glibc

/// Which signals this process was started with ignored (`nohup` does so) or blocked: what it starts is to get the same.
struct InheritedSignals: Sendable, Equatable {
    /// Those that a program may do something about.
    static let all: [Int32] = (1...64).filter { ![SIGKILL, SIGSTOP, 32, 33].contains($0) }
    /// Nothing is ignored and nothing blocked.
    static let none = InheritedSignals(ignored: 0, blocked: 0)

    /// A bit for each signal: the lowest for number 1.
    let ignored: UInt64
    let blocked: UInt64

    func ignores(_ signal: Int32) -> Bool { ignored >> (UInt64(signal) - 1) & 1 == 1 }
    func blocks(_ signal: Int32) -> Bool { blocked >> (UInt64(signal) - 1) & 1 == 1 }
}

extension InheritedSignals {
    /// - Parameter status: the text of `/proc/self/status` (proc(5)).
    init(status: String) {
        func mask(_ name: String) -> UInt64 {
            for line in status.split(separator: "\n") where line.hasPrefix("\(name):\t") {
                return UInt64(line.dropFirst(name.utf8.count + 2), radix: 16) ?? 0
            }
            return 0
        }
        self.init(ignored: mask("SigIgn"), blocked: mask("SigBlk"))
    }
}
