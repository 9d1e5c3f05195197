import Bytes
import X509

/// Applies the name constraints of authorities to the names of certificates below them (RFC 5280, section 6.1.3, b and
/// c), within a number of comparisons for one decision.
struct NameConstraintCheck {
    private var budget: SearchBudget
    private var names: [Int: [NameForm: [ConstrainableName]]?] = [:]
    private var answers: [Pair: TrustFailureReason?] = [:]

    /// The indices of two members.
    private struct Pair: Hashable {
        var authority: Int
        var member: Int
    }

    init(comparisons: Int) {
        budget = SearchBudget(comparisons)
    }

    /// There were more names and constraints than are compared.
    var isExceeded: Bool { budget.isExceeded }

    /// - Parameter path: Indices of members, leaf first, root last.
    mutating func firstFailure(_ path: [Int], of members: [PathMember]) -> TrustFailureReason? {
        // A certificate that is a trusted root itself has itself for its authority.
        let pairs =
            path.count == 1
            ? [Pair(authority: path[0], member: path[0])]
            : path.indices.dropFirst().flatMap { position in
                path[..<position].map { Pair(authority: path[position], member: $0) }
            }
        for pair in pairs {
            guard case .success(let table?) = members[pair.authority].constraints else { continue }
            // Self-issued certificates are how authorities change their keys: they may bear the authority's own name.
            if members[pair.member].isSelfIssued, pair.member != path[0] { continue }
            if let known = answers[pair] {
                if let known { return known }
                continue
            }
            let answer = self.answer(table, of: members[pair.authority], for: members[pair.member], at: pair.member)
            answers[pair] = .some(answer)
            if let answer { return answer }
        }
        return nil
    }

    private mutating func answer(
        _ table: NameConstraintTable,
        of authority: PathMember,
        for member: PathMember,
        at index: Int
    ) -> TrustFailureReason? {
        guard let names = self.names(of: member, at: index) else {
            return .flawedCertificate(
                subject: PrintableText.name(member.certificate.subject),
                .malformedAlternativeNames
            )
        }
        for form in NameForm.allCases {
            guard let names = names[form] else { continue }
            let wanted = table.comparisons(forNames: names.count, of: form)
            guard budget.take(wanted) == wanted else { return .tooManyComparisons }
            guard let name = names.first(where: { !table.allow($0) }) else { continue }
            return .nameConstraints(
                authority: PrintableText.name(authority.certificate.subject),
                subject: PrintableText.name(member.certificate.subject),
                name: PrintableText(name.shown, limit: 255).description
            )
        }
        return nil
    }

    /// nil: they are malformed. What it takes to read them counts as comparing each once.
    private mutating func names(of member: PathMember, at index: Int) -> [NameForm: [ConstrainableName]]? {
        if let known = self.names[index] { return known }
        let names = try? member.constrainableNames()
        self.names[index] = .some(names)
        _ = budget.take(names?.values.reduce(0) { $0 + $1.count } ?? 0)
        return names
    }
}
