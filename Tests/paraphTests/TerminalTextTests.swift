import Testing

@testable import paraph

@Suite("Text for a terminal")
struct TerminalTextTests {
    @Test(
        "has its line breaks and tabs, and whatever else a terminal would obey escaped",
        arguments: [
            ("a line\nand \"another\" \\ one\t1\n", "a line\nand \"another\" \\ one\t1\n"),
            ("\u{1B}[2J\u{1B}]0;title\u{07}", "\\u{1b}[2J\\u{1b}]0;title\\u{7}"),
            ("a\r\nb\u{9B}31m\u{202E}", "a\\u{d}\nb\\u{9b}31m\\u{202e}"),
        ]
    )
    func escaped(text: String, shown: String) {
        #expect(TerminalText(text).description == shown)
    }

    @Test("keeps the sequences of its style, and no others")
    func styled() {
        let good = TextStyle.terminal.good("ok")
        #expect(TerminalText(good + "\u{1B}[5m", style: .terminal).description == good + "\\u{1b}[5m")
        #expect(!TerminalText(good).description.contains("\u{1B}"))
    }
}
