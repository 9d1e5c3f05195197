import Files
import FoundationEssentials
import Glibc
import SystemPackage

/// A line on a terminal that says how far long work is: written over each time, and gone at the end. Where standard
/// error is no terminal, or standard output has lines that say the same, there is none.
struct ProgressLine {
    /// The time between two writings of it.
    private static let pause = Duration.milliseconds(100)

    private let isShown: Bool
    private var lastShown: ContinuousClock.Instant?

    init(
        environment: [String: String] = ProcessInfo.processInfo.environment,
        besideOutput: Bool = false
    ) {
        isShown =
            isatty(STDERR_FILENO) == 1 && environment["TERM"] != "dumb"
            && !(besideOutput && isatty(STDOUT_FILENO) == 1)
    }

    /// Shows a text, unless another one was shown just now.
    mutating func show(_ text: String) {
        guard isShown, lastShown.map({ .now - $0 >= Self.pause }) ?? true else { return }
        lastShown = .now
        Self.write("\r\(TerminalText(text))\u{1B}[K")
    }

    /// Shows the number of things that are done, and of all.
    mutating func show(_ work: String, _ done: Int, of total: Int) {
        show("\(work): \(done) of \(total)")
    }

    /// Removes the line.
    mutating func end() {
        guard lastShown != nil else { return }
        lastShown = nil
        Self.write("\r\u{1B}[K")
    }

    private static func write(_ text: String) {
        try? FileDescriptor.standardError.write(all: Array(text.utf8))
    }
}
