import Bytes

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

/// Something the demo has to say.
protocol DemoText {
    func write(to page: inout Page)
}
