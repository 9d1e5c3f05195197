import SwiftASN1
import X509

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
