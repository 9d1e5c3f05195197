import Bytes
import Files
import SystemPackage

/// The stream to which a command writes its result.
enum StandardOutput {
    /// Text for a person, with what is not printable escaped (``TerminalText``).
    static func print(_ text: String, terminator: String = "\n", style: TextStyle = .plain) {
        write("\(TerminalText(text, style: style))\(terminator)")
    }

    /// A JSON text, with what is not printable escaped as JSON has it.
    static func print(json: String) {
        write("\(JSONString.escapingUnprintable(json: json))\n")
    }

    /// Text for another program, such as a shell, as it is.
    static func write(_ text: String) {
        Swift.print(text, terminator: "")
    }
}

/// The standard library's writes what others made as it came.
@available(*, unavailable, message: "Say which it is: StandardOutput.print or StandardOutput.write.")
func print(_ items: Any..., separator: String = " ", terminator: String = "\n") {}

/// The stream to which a command writes what is wrong.
enum StandardError {
    /// Writes a line, or several, with what is not printable escaped (``TerminalText``); what cannot be written is
    /// lost, for there is nowhere left to say so.
    static func print(_ line: String) {
        try? FileDescriptor.standardError.write(all: Array("\(TerminalText(line))\n".utf8))
    }
}
