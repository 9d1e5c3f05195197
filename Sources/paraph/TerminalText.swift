import Bytes

/// Text of several lines, safe to write to a terminal, whoever made it: line breaks and tabs stay, anything else that a
/// terminal would obey is escaped (``PrintableText``).
struct TerminalText: CustomStringConvertible {
    let description: String

    /// - Parameter style: The style that the text is set off by; its control sequences stay.
    init(_ text: some StringProtocol, style: TextStyle = .plain) {
        let scalars = text.unicodeScalars
        guard !scalars.allSatisfy({ $0.isPrintable || $0 == "\n" }) else {
            description = String(text)
            return
        }
        let sequences = style.sequences.map(\.unicodeScalars)
        var printable = ""
        var rest = scalars[...]
        while let scalar = rest.first {
            if let sequence = sequences.first(where: { rest.starts(with: $0) }) {
                printable.unicodeScalars += sequence
                rest = rest.dropFirst(sequence.count)
                continue
            }
            printable +=
                scalar == "\n" || scalar == "\t"
                ? String(scalar) : PrintableText(String(scalar), escapesQuotes: false).description
            rest = rest.dropFirst()
        }
        description = printable
    }
}
