import Bytes

/// Everything that is wrong with a configuration file, in the order of its lines; at least one mistake.
package struct ConfigurationMistakes: Error, Hashable, Sendable {
    package var file: String
    package var mistakes: [Mistake]
    /// The environment variables that the file looks for secrets in.
    package var secretVariables: Set<String>

    package init(file: String, mistakes: [Mistake], secretVariables: Set<String> = []) {
        self.file = file
        self.mistakes = mistakes
        self.secretVariables = secretVariables
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
