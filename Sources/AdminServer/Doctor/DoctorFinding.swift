package import Bytes

/// The finding of a check of `paraph doctor`.
package struct DoctorFinding: Equatable, Sendable {
    package enum Verdict: String, Sendable {
        case works = "ok"
        /// The part works now, or was meant so; but it should be known.
        case warns = "note"
        case fails
        /// The state cannot be found out, or there is nothing to find out.
        case leftOut = "left_out"
    }

    /// The subject in a word or two.
    package var subject: String
    package var verdict: Verdict
    /// Sentences for a person: what was found; may have several lines.
    package var message: String
    /// The lines that a person types or writes to put it right; empty when there is nothing to do.
    package var remedies: [String]

    package init(_ subject: String, _ verdict: Verdict, _ message: String, remedies: [String] = []) {
        self.subject = subject
        self.verdict = verdict
        self.message = message
        self.remedies = remedies
    }

    package var json: JSONText {
        .object([
            ("subject", .string(subject)), ("verdict", .string(verdict.rawValue)), ("message", .string(message)),
            ("remedies", .strings(remedies)),
        ])
    }
}
