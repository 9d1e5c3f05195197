package import NIOCore

/// The fields that this program adds to a head: their lines as HTTP/1.1 has them, and beside these where each name and
/// value lies, for a writer of another form.
///
/// Filled anew for each head, it allocates nothing.
package struct AppendedFields: Sendable {
    /// Complete field lines, each ended by CR LF, or nothing.
    package private(set) var bytes = ByteBuffer()
    private var entries: [FieldEntry] = []

    package init() {}

    package var count: Int { entries.count }

    package mutating func removeAll() {
        bytes.clear()
        entries.removeAll(keepingCapacity: true)
    }

    /// Appends a field that is always the same.
    ///
    /// - Parameter line: Its name, a colon, a space, its value, and CR LF.
    package mutating func append(_ field: KnownField, line: StaticString) {
        let nameLength = field.name.utf8.count
        bytes.writeStaticString(line)
        note(field, nameLength: nameLength, valueLength: line.utf8CodeUnitCount - nameLength - 4)
    }

    /// Appends a field.
    ///
    /// - Parameters:
    ///   - start: Its name as it is spelled, a colon and a space.
    ///   - value: A field value, without white space around it.
    package mutating func append(_ field: KnownField, _ start: StaticString, _ value: RawSpan) {
        bytes.writeStaticString(start)
        bytes.writeBytes(value)
        bytes.writeStaticString("\r\n")
        note(field, nameLength: start.utf8CodeUnitCount - 2, valueLength: value.byteCount)
    }

    /// Appends a field whose value is text.
    package mutating func append(_ field: KnownField, _ start: StaticString, text value: String) {
        bytes.writeStaticString(start)
        let valueLength = bytes.writeString(value)
        bytes.writeStaticString("\r\n")
        note(field, nameLength: start.utf8CodeUnitCount - 2, valueLength: valueLength)
    }

    /// Appends a field whose name is no known field.
    package mutating func append(_ name: String, _ value: RawSpan) {
        let nameLength = bytes.writeString(name)
        bytes.writeStaticString(": ")
        bytes.writeBytes(value)
        bytes.writeStaticString("\r\n")
        note(.other, nameLength: nameLength, valueLength: value.byteCount)
    }

    private mutating func note(_ field: KnownField, nameLength: Int, valueLength: Int) {
        let layout = FieldLayout(
            nameLength: UInt16(truncatingIfNeeded: nameLength),
            valueLength: UInt32(truncatingIfNeeded: valueLength),
            known: field
        )
        entries.append(FieldEntry(lineStart: bytes.readableBytes - nameLength - valueLength - 4, layout: layout))
    }

    /// One field, for a writer of another form.
    ///
    /// - Parameter index: The number of the field, less than `count`.
    package func place(at index: Int) -> FieldPlace {
        let entry = entries[index]
        return FieldPlace(name: entry.name, value: entry.value, known: entry.known)
    }
}

extension AppendedFields: ExpressibleByDictionaryLiteral {
    /// Fields by their names, in order.
    package init(dictionaryLiteral fields: (String, String)...) {
        self.init()
        for (name, value) in fields {
            let nameLength = bytes.writeString(name)
            bytes.writeStaticString(": ")
            let valueLength = bytes.writeString(value)
            bytes.writeStaticString("\r\n")
            let known = KnownFieldTable.shared.field(for: FieldNameKey(name))
            note(known, nameLength: nameLength, valueLength: valueLength)
        }
    }
}

extension AppendedFields: Sequence {
    package func makeIterator() -> IndexingIterator<[FieldLine]> {
        entries.map { entry in
            FieldLine(
                name: bytes.slice(entry.name),
                value: bytes.slice(entry.value),
                known: entry.known,
                isNominated: false
            )
        }.makeIterator()
    }
}
