import Files
import SystemPackage

/// The stream to which a command writes what is wrong.
enum StandardError {
    /// Writes a line, or several, with what is not printable escaped (``TerminalText``); what cannot be written is
    /// lost, for there is nowhere left to say so.
    static func print(_ line: String) {
        try? FileDescriptor.standardError.write(all: Array("\(TerminalText(line))\n".utf8))
    }
}
