import Bytes
package import Files

/// One thing that is wrong with the configuration file.
package struct Mistake: Error, Hashable, Sendable {
    package var position: SourcePosition
    /// A description of what is wrong and what to write instead, in printable characters, whatever of the file it
    /// names. Never a secret, nor a value that could be one.
    package var message: String

    package init(at position: SourcePosition, _ message: String) {
        self.position = position
        self.message = PrintableText(message, escapesQuotes: false).description
    }
}

/// Everything that is wrong with a configuration file, in the order of its lines; at least one mistake.
package struct ConfigurationMistakes: Error, Hashable, Sendable {
    package var file: String
    package var mistakes: [Mistake]
    /// The environment variables that the file looks for secrets in.
    package var secretVariables: Set<String>
    /// The files that it names, as far as they were read or looked for: a change of one may correct it.
    package var watchedFiles: [SeenFile]

    package init(
        file: String,
        mistakes: [Mistake],
        secretVariables: Set<String> = [],
        watchedFiles: [SeenFile] = []
    ) {
        self.file = file
        self.mistakes = mistakes
        self.secretVariables = secretVariables
        self.watchedFiles = watchedFiles
    }
}

extension ConfigurationMistakes: CustomStringConvertible {
    /// `FILE:LINE:COLUMN: message` for each mistake.
    package var lines: [String] {
        let file = PrintableText(file, escapesQuotes: false)
        return mistakes.map { "\(file):\($0.position.line):\($0.position.column): \($0.message)" }
    }

    package var description: String { lines.joined(separator: "\n") }
}
