extension FieldSection: Sequence {
    package struct Iterator: IteratorProtocol {
        private let section: FieldSection
        private var position = 0

        init(_ section: FieldSection) {
            self.section = section
        }

        package mutating func next() -> FieldLine? {
            guard position < section.entries.count else { return nil }
            let entry = section.entries[position]
            position += 1
            return FieldLine(
                name: section.slice(entry.name),
                value: section.slice(entry.value),
                known: entry.known,
                isNominated: entry.isNominated
            )
        }
    }

    package func makeIterator() -> Iterator {
        Iterator(self)
    }
}
