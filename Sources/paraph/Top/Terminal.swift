import Files
import Glibc
import SystemPackage

/// A terminal whose whole screen is drawn on, and whose keys come one by one; as it was before, once ``restore()`` is
/// called.
final class Terminal {
    private var before: termios?

    /// Takes the screen, and the keys if standard input is a terminal too.
    init() {
        var settings = termios()
        if tcgetattr(STDIN_FILENO, &settings) == 0 {
            before = settings
            settings.c_lflag &= ~tcflag_t(ICANON | ECHO)
            // Stopped by ^Z, it would leave the terminal as it has made it.
            settings.c_cc.10 = 0
            tcsetattr(STDIN_FILENO, TCSANOW, &settings)
        }
        // The alternate screen, without a cursor, and without breaking long lines (XTerm's control sequences).
        write("\u{1B}[?1049h\u{1B}[?25l\u{1B}[?7l")
    }

    func restore() {
        write("\u{1B}[?7h\u{1B}[?25h\u{1B}[?1049l")
        guard var before else { return }
        tcsetattr(STDIN_FILENO, TCSANOW, &before)
        self.before = nil
    }

    /// Its columns and rows.
    var size: (width: Int, height: Int) {
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0, size.ws_row > 0 else {
            return (80, 24)
        }
        return (Int(size.ws_col), Int(size.ws_row))
    }

    /// Draws the lines over what is there.
    func draw(_ lines: [String], style: TextStyle) {
        let text = lines.map { "\(TerminalText($0, style: style))\u{1B}[K" }.joined(separator: "\r\n")
        write("\u{1B}[H\(text)\u{1B}[J")
    }

    private func write(_ text: String) {
        try? FileDescriptor.standardOutput.write(all: Array(text.utf8))
    }
}
