import Glibc

/// Where a command says what is wrong.
enum StandardError {
    /// Writes a line, or several, with what is not printable escaped (``TerminalText``); what cannot be written is
    /// lost, for there is nowhere left to say so.
    static func print(_ line: String) {
        var rest = Array("\(TerminalText(line))\n".utf8)[...]
        while !rest.isEmpty {
            let count = rest.withUnsafeBytes { write(STDERR_FILENO, $0.baseAddress, $0.count) }
            guard count > 0 || errno == EINTR else { return }
            rest = rest.dropFirst(max(count, 0))
        }
    }
}
