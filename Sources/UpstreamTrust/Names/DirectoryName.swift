import Bytes
import SwiftASN1
import X509

/// A distinguished name in the form in which names are compared.
///
/// RFC 5280, section 7.1, asks for the string preparation of RFC 4518. It is done for ASCII, which has case and spaces
/// alone; whether other strings that are not the same bytes are the same name is not known here.
struct DirectoryName {
    private var components: [[Attribute]]

    /// The number of comparisons that it takes to compare it with another one.
    let comparisons: Int

    init(_ name: DistinguishedName) {
        components = name.map { $0.map { Attribute($0) } }
        comparisons = components.joined().reduce(1) { $0 + SearchBudget.price(ofBytes: $1.byteCount) }
    }

    /// Returns whether the name begins with all of another one.
    ///
    /// - Parameter unknown: The answer where it depends on strings that cannot be compared.
    func isWithin(_ base: DirectoryName, unknown: Bool) -> Bool {
        guard base.components.count <= components.count else { return false }
        var isKnown = true
        for (own, other) in zip(components, base.components) {
            switch Self.compare(own, other) {
            case true?: continue
            case false?: return false
            case nil: isKnown = false
            }
        }
        return isKnown || unknown
    }

    /// The attributes of a relative distinguished name are a set, which DER sorts by bytes: of more than one, those
    /// that differ may only be in another order.
    private static func compare(_ left: [Attribute], _ right: [Attribute]) -> Bool? {
        guard left.count == right.count else { return false }
        guard left.count == 1 else { return zip(left, right).allSatisfy { $0.isSame(as: $1) == true } ? true : nil }
        return left[0].isSame(as: right[0])
    }

    private struct Attribute {
        private let type: ASN1ObjectIdentifier
        private let value: RelativeDistinguishedName.Attribute.Value
        /// ASCII in lower case, with single spaces between words; nil for anything else.
        private let prepared: [UInt8]?

        init(_ attribute: RelativeDistinguishedName.Attribute) {
            type = attribute.type
            value = attribute.value
            let text = String(attribute.value).flatMap { $0.utf8.allSatisfy { $0 < 0x80 } ? $0 : nil }
            prepared = text.map { text in
                let words = text.utf8.split(separator: UInt8(ascii: " "))
                return words.joined(separator: CollectionOfOne(UInt8(ascii: " "))).map(\.lowercasedASCII)
            }
        }

        var byteCount: Int { prepared?.count ?? 64 }

        /// Returns whether another attribute is the same; nil when that is not known here.
        func isSame(as other: Attribute) -> Bool? {
            guard type == other.type else { return false }
            if value == other.value { return true }
            guard let prepared, let theirs = other.prepared else { return nil }
            return prepared == theirs
        }
    }
}
