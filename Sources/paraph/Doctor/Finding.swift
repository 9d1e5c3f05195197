/// What `paraph doctor` found out about one thing: a row of its table.
struct Finding: Sendable {
    enum Verdict: String, Sendable {
        case works = "ok"
        /// It works now, or somebody meant it; but it should be known.
        case warns = "note"
        case fails = "FAILS"
        /// It cannot be found out, or there is nothing to find out.
        case leftOut = "-"
    }

    /// In a word or two.
    var subject: String
    var verdict: Verdict
    /// A sentence; may have several lines.
    var words: String
    /// What a person types or writes to put it right, as it stands; empty when there is nothing to do.
    var remedies: [String]

    init(_ subject: String, _ verdict: Verdict, _ words: String, remedy remedies: String...) {
        self.subject = subject
        self.verdict = verdict
        self.words = words
        self.remedies = remedies
    }
}
