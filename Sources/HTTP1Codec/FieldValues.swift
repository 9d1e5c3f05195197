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
        guard self.section.contains(self.field) else { return nil }
        while self.position < self.section.entries.count {
            let entry = self.section.entries[self.position]
            self.position += 1
            if entry.known == self.field { return self.section.slice(entry.value) }
        }
        return nil
    }
}
