package import NIOCore

/// The values that one known field has in a section, in order, each a slice of the section.
package struct FieldValues: Sequence, IteratorProtocol, Sendable {
    private let section: FieldSection
    private let field: KnownField
    private var position = 0

    init(section: FieldSection, field: KnownField) {
        self.section = section
        self.field = field
    }

    package mutating func next() -> ByteBuffer? {
        guard section.contains(field) else { return nil }
        while position < section.entries.count {
            let entry = section.entries[position]
            position += 1
            if entry.known == field { return section.slice(entry.value) }
        }
        return nil
    }
}
