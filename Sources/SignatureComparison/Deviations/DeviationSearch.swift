import OAuthSigning

/// Tries deviations, one and then two at a time, until the other side's signature or base string comes out.
struct DeviationSearch: Sendable {
    let reference: SigningRecipe
    let match: RecipeMatch

    /// Deviations that together yield the other side's, and how it signed.
    struct Discovery: Sendable {
        let findings: [ComparisonFinding]
        let recipe: SigningRecipe
    }

    /// Deviations that come to the same for this request.
    private struct Candidate {
        let trace: RecipeMatch.Trace
        var deviations: [Deviation]

        var finding: ComparisonFinding {
            var finding = deviations[0].finding
            // The same cause in another spelling is no alternative.
            for other in deviations.dropFirst().map(\.finding)
            where ([finding] + finding.alternatives).allSatisfy({ $0.cause != other.cause }) {
                finding.alternatives.append(other)
            }
            return finding
        }
    }

    /// - Parameter catalogue: Of its deviations the likelier ones come first; where several yield the same, the first
    ///   of them is named.
    /// - Returns: Nil when none of them, and (for a base string that is not huge) no two, yield the other side's.
    func search(_ catalogue: DeviationCatalogue) -> Discovery? {
        let candidates = distinct(catalogue.all)
        for candidate in candidates {
            if let found = discovery([candidate]) { return found }
        }
        var attempts = Self.workLimit / (reference.baseString.count + Self.parameterWork * reference.parameters.count)
        let single = catalogue.single.prefix(attempts / 2)
        attempts -= 2 * single.count
        for candidate in distinct(single) {
            if let found = discovery([candidate]) { return found }
        }
        for (index, candidate) in candidates.enumerated() {
            for other in candidates[(index + 1)...] {
                guard attempts > 0 else { return nil }
                attempts -= 1
                if let found = discovery([candidate, other]) { return found }
            }
        }
        return nil
    }

    /// The number of bytes signed in search of two deviations, or of one in a long list: a second's work. The request
    /// may be a stranger's.
    private static let workLimit = 48 << 20
    /// The work of putting one parameter into its place, as the number of bytes that are signed meanwhile.
    private static let parameterWork = 16

    private func discovery(_ candidates: [Candidate]) -> Discovery? {
        var recipe = reference
        for candidate in candidates { candidate.deviations[0].change(&recipe) }
        return match.matches(recipe) ? Discovery(findings: candidates.map(\.finding), recipe: recipe) : nil
    }

    /// Returns the deviations as candidates, without those that change nothing here.
    private func distinct(_ deviations: some Sequence<Deviation>) -> [Candidate] {
        let unchanged = match.trace(of: reference)
        var candidates: [Candidate] = []
        for deviation in deviations {
            var recipe = reference
            deviation.change(&recipe)
            let trace = match.trace(of: recipe)
            if trace == unchanged { continue }
            if let index = candidates.firstIndex(where: { $0.trace == trace }) {
                candidates[index].deviations.append(deviation)
            } else {
                candidates.append(Candidate(trace: trace, deviations: [deviation]))
            }
        }
        return candidates
    }
}
