/// A fact about the configuration that does not keep it from being used.
package struct Advice: Hashable, Sendable {
    package enum Severity: String, Hashable, Sendable, CaseIterable {
        /// The setting does not work as things are, and all else does.
        case error
        /// The setting is probably not meant, or will probably not work.
        case warning
        /// The fact is worth knowing about the provider, whatever the file says.
        case note
    }

    package var severity: Severity
    package var position: SourcePosition
    /// A description of what is odd and what to do about it. Never a secret.
    package var message: String

    package init(_ severity: Severity, at position: SourcePosition, _ message: String) {
        self.severity = severity
        self.position = position
        self.message = message
    }

    /// `FILE:LINE:COLUMN: warning: message`, or another word for another severity.
    package func line(file: String) -> String {
        "\(file):\(position.line):\(position.column): \(severity.rawValue): \(message)"
    }
}
