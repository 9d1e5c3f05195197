import OAuthSigning

/// One thing that two signers did differently.
package struct ComparisonFinding: Equatable, Sendable {
    package enum Certainty: String, Sendable {
        /// With this difference, and not without it, the other side's signature (or base string) comes out.
        case proven
        /// It can be seen in what the other side sent.
        case seen
        /// Nothing else that was looked for explains the other side's signature.
        case likely
        /// It can be seen, and does not set the two apart; a provider may refuse it all the same.
        case remark
    }

    package let cause: ComparisonCause
    package let certainty: Certainty
    /// A sentence for a person; never with a secret in it.
    package let sentence: String
    /// Differences that come to the very same for this request: which of them it was cannot be told.
    package var alternatives: [ComparisonFinding] = []
}
