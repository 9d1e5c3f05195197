import ArgumentParser
import NIOCore
import ParaphConfiguration

/// The time that an answer may take, as it is written on the command line: `250ms`, `3s`.
struct ProbeTimeout: ExpressibleByArgument, CustomStringConvertible {
    /// The longest time for which somebody still waits for the command.
    private static let longest = 3_600_000

    private let milliseconds: Int

    init(milliseconds: Int) {
        self.milliseconds = milliseconds
    }

    init?(argument: String) {
        guard let milliseconds = DurationText.milliseconds(argument), (1...Self.longest).contains(milliseconds) else {
            return nil
        }
        self.init(milliseconds: milliseconds)
    }

    var amount: TimeAmount { .milliseconds(Int64(milliseconds)) }
    var duration: Duration { .milliseconds(milliseconds) }

    var description: String {
        milliseconds.isMultiple(of: 1_000) ? "\(milliseconds / 1_000)s" : "\(milliseconds)ms"
    }
}
