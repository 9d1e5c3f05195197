import FoundationEssentials
import Glibc

/// The way in which text is set off. It must read well without.
enum TextStyle {
    case plain
    /// Text is set off by the control sequences of ECMA-48.
    case terminal

    /// The control sequences that text of this style has.
    var sequences: [String] {
        switch self {
        case .plain: []
        case .terminal: ["0", "1", "2", "1;32", "1;31"].map(Self.sequence)
        }
    }

    /// The style for standard output: plain where that is no terminal, or its user wants no colour.
    static var ofStandardOutput: TextStyle {
        let environment = ProcessInfo.processInfo.environment
        let isPlain = isatty(STDOUT_FILENO) == 0 || environment["TERM"] == "dumb" || environment["NO_COLOR"] != nil
        return isPlain ? .plain : .terminal
    }

    func bold(_ text: String) -> String { set(text, "1") }
    func dim(_ text: String) -> String { set(text, "2") }
    func good(_ text: String) -> String { set(text, "1;32") }
    func bad(_ text: String) -> String { set(text, "1;31") }

    private func set(_ text: String, _ code: String) -> String {
        switch self {
        case .plain: text
        case .terminal: text.isEmpty ? "" : Self.sequence(code) + text + Self.sequence("0")
        }
    }

    private static func sequence(_ code: String) -> String { "\u{1B}[\(code)m" }
}
