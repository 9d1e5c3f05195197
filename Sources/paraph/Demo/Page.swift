import Bytes
import FoundationEssentials
import Glibc

/// Text being laid out: titles at the margin, everything else indented below them.
struct Page {
    private static let indent = "   "
    private static let labelWidth = 15

    let style: TextStyle
    private(set) var text = ""

    init(style: TextStyle) {
        self.style = style
    }

    mutating func title(_ title: String) {
        blank()
        text += style.bold(title) + "\n"
    }

    mutating func blank() {
        text += "\n"
    }

    mutating func line(_ line: String) {
        text += line.isEmpty ? "\n" : Self.indent + Self.printed(line) + "\n"
    }

    /// Lines of a transcript, with a mark that says who speaks.
    mutating func transcript(_ lines: [String], mark: Character) {
        for line in lines {
            text += Self.indent + style.dim(String(mark)) + (line.isEmpty ? "" : " " + Self.printed(line)) + "\n"
        }
    }

    /// A label and what it stands for, on as many lines as there are.
    mutating func entry(_ label: String, _ values: String...) {
        entry(label, lines: values)
    }

    mutating func entry(_ label: String, lines: [String]) {
        for (number, line) in lines.enumerated() {
            let shown = number == 0 ? label : ""
            let gap = String(repeating: " ", count: max(1, Self.labelWidth - shown.count))
            text += Self.indent + style.dim(shown) + gap + Self.printed(line) + "\n"
        }
    }

    mutating func verdict(_ sentence: String, isGood: Bool) {
        blank()
        text += (isGood ? style.good(sentence) : style.bad(sentence)) + "\n"
    }

    /// Returns a line fit to print: what came over the network must not command the terminal.
    private static func printed(_ line: String) -> String { "\(PrintableText(line, escapesQuotes: false))" }
}

/// A text that the demo shows.
protocol DemoText {
    func write(to page: inout Page)
}

/// The destination of the demo's output, and whether that is a terminal that shows bold and colour.
struct DemoOutput {
    private let style: TextStyle
    private let write: @Sendable (String) -> Void

    init(style: TextStyle, write: @escaping @Sendable (String) -> Void) {
        self.style = style
        self.write = write
    }
    func print(_ part: some DemoText) {
        var page = Page(style: style)
        part.write(to: &page)
        write(page.text)
    }

    static var standard: DemoOutput {
        let environment = ProcessInfo.processInfo.environment
        let isPlain = environment["NO_COLOR"].map { !$0.isEmpty } ?? false
        let isTerminal = isatty(STDOUT_FILENO) == 1 && !isPlain && environment["TERM"] != "dumb"
        let style = isTerminal ? TextStyle.terminal : .plain
        return DemoOutput(style: style) { text in
            StandardOutput.print(text, terminator: "", style: style)
            // Whoever reads through a pipe sees each line when it is due.
            fflush(nil)
        }
    }
}
