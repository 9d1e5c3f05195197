import Bytes
import SwiftASN1
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

    /// Indicates whether there were more names and constraints than are compared.
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
            let answer = answer(table, of: members[pair.authority], for: members[pair.member], at: pair.member)
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

    /// Returns the names of a certificate; nil when they are malformed. To read them counts as comparing each once.
    private mutating func names(of member: PathMember, at index: Int) -> [NameForm: [ConstrainableName]]? {
        if let known = self.names[index] { return known }
        let names = try? member.constrainableNames()
        self.names[index] = .some(names)
        _ = budget.take(names?.values.reduce(0) { $0 + $1.count } ?? 0)
        return names
    }
}

/// The name constraints of one authority, by the form of the names that they are for (RFC 5280, section 4.2.1.10).
struct NameConstraintTable {
    private var permitted: [NameForm: [NameSubtree]] = [:]
    private var excluded: [NameForm: [NameSubtree]] = [:]
    /// The cost of comparing one name of a form with all subtrees of the form.
    private var comparisons: [NameForm: Int] = [:]

    /// - Throws: An `ASN1Error` for what RFC 5280 does not allow: an empty sequence of subtrees, or none; a distance
    ///   other than the default; a base that is no name of its form.
    init(_ extension: Certificate.Extension) throws {
        let sequences = try DER.sequence(DER.parse(`extension`.value), identifier: .sequence) { nodes in
            var sequences: [ASN1Node] = []
            while let node = nodes.next() { sequences.append(node) }
            return sequences
        }
        let tags = sequences.map(\.identifier)
        guard [[Self.permittedTag], [Self.excludedTag], [Self.permittedTag, Self.excludedTag]].contains(tags) else {
            throw Self.malformed
        }
        for node in sequences {
            for subtree in try Self.subtrees(node) {
                comparisons[subtree.form, default: 0] += subtree.comparisons
                if node.identifier == Self.permittedTag {
                    permitted[subtree.form, default: []].append(subtree)
                } else {
                    excluded[subtree.form, default: []].append(subtree)
                }
            }
        }
    }

    /// The number of comparisons that it may take to judge this many names of a form.
    func comparisons(forNames count: Int, of form: NameForm) -> Int {
        count * (comparisons[form] ?? 0)
    }

    func allow(_ name: ConstrainableName) -> Bool {
        if let subtrees = permitted[name.form], !subtrees.contains(where: { $0.permits(name) }) { return false }
        return excluded[name.form]?.contains { $0.excludes(name) } != true
    }

    private static let permittedTag = ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific)
    private static let excludedTag = ASN1Identifier(tagWithNumber: 1, tagClass: .contextSpecific)

    private static func subtrees(_ node: ASN1Node) throws -> [NameSubtree] {
        guard case .constructed(let children) = node.content else { throw Self.malformed }
        let subtrees = try children.map { child in
            try DER.sequence(child, identifier: .sequence) { nodes in
                // Of minimum and maximum, which would follow, RFC 5280 allows the default alone.
                guard let base = nodes.next(), nodes.next() == nil,
                    let subtree = NameSubtree(try GeneralName(derEncoded: base))
                else { throw Self.malformed }
                return subtree
            }
        }
        guard !subtrees.isEmpty else { throw Self.malformed }
        return subtrees
    }

    private static var malformed: ASN1Error { .invalidASN1Object(reason: "the name constraints are malformed") }
}
