/// The last request of an account that its provider refused, as long as none has succeeded since.
package struct RefusalTrouble: Equatable, Sendable {
    package var account: String
    /// Whole seconds since 1970-01-01T00:00:00Z, by this machine's clock.
    package var time: Int64
    package var status: Int
    /// Sentences for a person: what it refused, and what to do.
    package var sentence: String

    package init(of account: String, time: Int64, status: Int, _ sentence: String) {
        self.account = account
        self.time = time
        self.status = status
        self.sentence = sentence
    }
}
