import ForwardProxy
import Glibc

extension LogStyle {
    /// The style of text on standard error, where that is a terminal; nil: it is none.
    ///
    /// - Parameter environment: Says whether colours are wanted (`NO_COLOR`, `TERM`).
    static func terminal(_ environment: [String: String]) -> LogStyle? {
        guard isatty(STDERR_FILENO) == 1 else { return nil }
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        return .terminal(isColoured: !isPlain && environment["TERM"] != "dumb")
    }
}
