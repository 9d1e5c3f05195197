import FoundationEssentials
import Glibc

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
