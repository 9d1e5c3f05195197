import OAuthSigning

/// One thing that two signers did differently.
package struct ComparisonFinding: Equatable, Sendable {
    package enum Certainty: String, Sendable {
        /// The other side's signature (or base string) comes out with this difference, and not without it.
        case proven
        /// The cause can be seen in what the other side sent.
        case seen
        /// The cause is the only one looked for that explains the other side's signature.
        case likely
        /// The fact can be seen, and does not set the two apart; a provider may refuse it all the same.
        case remark
    }

    package let cause: ComparisonCause
    package let certainty: Certainty
    /// A sentence for a person; never with a secret in it.
    package let sentence: String
    /// Differences that come to the very same for this request: which of them it was cannot be told.
    package var alternatives: [ComparisonFinding] = []
}
