import OAuthSigning

/// One thing that a signer may do otherwise than RFC 5849 says, or on other grounds than ours.
struct Deviation: Sendable {
    let cause: ComparisonCause
    /// A sentence on what the other side then did.
    let sentence: String
    let change: @Sendable (inout SigningRecipe) -> Void

    init(_ cause: ComparisonCause, _ sentence: String, change: @escaping @Sendable (inout SigningRecipe) -> Void) {
        self.cause = cause
        self.sentence = sentence
        self.change = change
    }

    var finding: ComparisonFinding {
        ComparisonFinding(cause: cause, certainty: .proven, sentence: sentence)
    }
}
