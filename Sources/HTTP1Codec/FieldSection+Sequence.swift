extension FieldSection: Sequence {
    package struct Iterator: IteratorProtocol {
        private let section: FieldSection
        private var position = 0

        init(_ section: FieldSection) {
            self.section = section
        }

        package mutating func next() -> FieldLine? {
            guard self.position < self.section.entries.count else { return nil }
            let entry = self.section.entries[self.position]
            self.position += 1
            return FieldLine(
                name: self.section.slice(entry.name),
                value: self.section.slice(entry.value),
                known: entry.known,
                isNominated: entry.isNominated
            )
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(self)
    }
}
