/// One thing that a signer may do otherwise than RFC 5849 says, or on other grounds than ours.
struct Deviation: Sendable {
    let cause: ComparisonCause
    /// A sentence on what the other side then did.
    let sentence: String
    let change: @Sendable (inout SigningRecipe) -> Void
    private(set) var group = DeviationGroup.selection
    /// Indicates whether it is seldom seen, so that it is tried with few others.
    private(set) var isRare = false
    /// Indicates whether it is tried with no other.
    private(set) var isAlone = false

    init(_ cause: ComparisonCause, _ sentence: String, change: @escaping @Sendable (inout SigningRecipe) -> Void) {
        self.cause = cause
        self.sentence = sentence
        self.change = change
    }

    func of(_ group: DeviationGroup, isRare: Bool = false, isAlone: Bool = false) -> Deviation {
        var deviation = self
        (deviation.group, deviation.isRare, deviation.isAlone) = (group, isRare, isAlone)
        return deviation
    }

    var finding: ComparisonFinding {
        ComparisonFinding(cause: cause, certainty: .proven, sentence: sentence)
    }
}

extension Sequence<Deviation> {
    func of(_ group: DeviationGroup, isRare: Bool = false) -> [Deviation] {
        map { $0.of(group, isRare: isRare) }
    }
}
