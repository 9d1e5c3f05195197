/// One thing that is wrong with the configuration file.
package struct Mistake: Hashable, Sendable {
    package var position: SourcePosition
    /// What is wrong and what to write instead. Never a secret, nor a value that could be one.
    package var message: String

    package init(at position: SourcePosition, _ message: String) {
        self.position = position
        self.message = message
    }
}
