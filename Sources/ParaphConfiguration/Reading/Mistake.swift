import Bytes

/// One thing that is wrong with the configuration file.
package struct Mistake: Hashable, Sendable {
    package var position: SourcePosition
    /// A description of what is wrong and what to write instead, in printable characters, whatever of the file it
    /// names. Never a secret, nor a value that could be one.
    package var message: String

    package init(at position: SourcePosition, _ message: String) {
        self.position = position
        self.message = PrintableText(message, escapesQuotes: false).description
    }
}
