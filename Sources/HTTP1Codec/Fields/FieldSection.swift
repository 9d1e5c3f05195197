import Bytes
package import NIOCore

/// The field lines of a head or of a trailer section, as they came.
///
/// `bytes` are the section as received (a head with its start line and its empty line) and are never rewritten;
/// beside them an array says where each line, name and value lies.
package struct FieldSection: Sendable {
    package let bytes: ByteBuffer
    package let present: KnownFieldSet
    let entries: [FieldEntry]

    init(bytes: ByteBuffer, entries: [FieldEntry], present: KnownFieldSet) {
        self.bytes = bytes
        self.entries = entries
        self.present = present
    }

    /// A section that was put into the form of HTTP/1.1.
    ///
    /// - Parameters:
    ///   - start: The position at which the first line begins; the others follow without a gap.
    ///   - lines: The layout of each line, `name: value` CR LF.
    package init(bytes: ByteBuffer, start: Int, lines: [FieldLayout]) {
        self.bytes = bytes
        var present = KnownFieldSet()
        var entries: [FieldEntry] = []
        entries.reserveCapacity(lines.count)
        var lineStart = start
        for line in lines {
            let entry = FieldEntry(lineStart: lineStart, layout: line)
            entries.append(entry)
            present.insert(line.known)
            lineStart = entry.line.upperBound
        }
        self.entries = entries
        self.present = present
    }

    package var count: Int { entries.count }
    package var isEmpty: Bool { entries.isEmpty }

    package func contains(_ field: KnownField) -> Bool {
        present.contains(field)
    }

    /// The value of the first line with this name, without the white space around it; a slice, not a copy.
    package func value(of field: KnownField) -> ByteBuffer? {
        valueRange(of: field).map(slice)
    }

    /// Returns where that value lies in ``bytes``.
    package func valueRange(of field: KnownField) -> Range<Int>? {
        guard present.contains(field) else { return nil }
        for entry in entries where entry.known == field { return entry.value }
        return nil
    }

    /// The values of all lines with this name, in order.
    package func values(of field: KnownField) -> FieldValues {
        FieldValues(section: self, field: field)
    }

    /// The first value as text; bytes that are not UTF-8 are repaired. For logs and cold paths.
    package func string(of field: KnownField) -> String? {
        value(of: field).map(String.init(buffer:))
    }

    func slice(_ range: Range<Int>) -> ByteBuffer {
        bytes.slice(range)
    }
}

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

extension FieldSection {
    /// Appends the lines as they came, each with its CR LF, without those whose names are in `dropping` and those that
    /// a `Connection` field nominated.
    package func writeLines(dropping: KnownFieldSet = [], into target: inout ByteBuffer) {
        writeLines(after: 0..<0, dropping: dropping, into: &target)
    }

    /// The lines that ``writeLines(dropping:into:)`` appends.
    func writtenFields(dropping: KnownFieldSet) -> [FieldLine] {
        filter { !$0.isNominated && !dropping.contains($0.known) }
    }

    /// One line, for a writer of another form.
    ///
    /// - Parameter index: The number of the line, less than `count`.
    /// - Returns: `nil` if the name is in `dropping`, or a `Connection` field nominated it.
    package func place(at index: Int, dropping: KnownFieldSet) -> FieldPlace? {
        let entry = entries[index]
        if entry.isNominated || dropping.contains(entry.known) { return nil }
        return FieldPlace(name: entry.name, value: entry.value, known: entry.known)
    }

    /// The same after a range of bytes that is written too. Neighbours are copied in one run, so a head from which
    /// nothing is dropped costs one copy, and each gap one more.
    func writeLines(after prefix: Range<Int>, dropping: KnownFieldSet, into target: inout ByteBuffer) {
        var start = prefix.lowerBound
        var end = prefix.upperBound
        for entry in entries where !entry.isNominated && !dropping.contains(entry.known) {
            let line = entry.line
            if line.lowerBound != end {
                bytes.copy(start..<end, to: &target)
                start = line.lowerBound
            }
            end = line.upperBound
        }
        bytes.copy(start..<end, to: &target)
    }
}

extension FieldSection {
    /// The values of all lines with a name that is no known field, in order.
    ///
    /// - Parameter name: The name in lower case.
    package func values(named name: String) -> [ByteBuffer] {
        entries.lazy
            .filter { $0.known == .other && slice($0.name).readableBytesUInt8Span.spellsIgnoringCase(name) }
            .map { slice($0.value) }
    }

    /// The same section of which no writer passes on the lines with a name that is no known field.
    ///
    /// - Parameter name: The name in lower case.
    package func leavingOut(_ name: String) -> FieldSection {
        func isLeftOut(_ entry: FieldEntry) -> Bool {
            entry.known == .other && slice(entry.name).readableBytesUInt8Span.spellsIgnoringCase(name)
        }
        // Hardly any request has one, and then nothing is copied.
        guard entries.contains(where: isLeftOut) else { return self }
        var entries = entries
        for index in entries.indices where isLeftOut(entries[index]) { entries[index].isNominated = true }
        return FieldSection(bytes: bytes, entries: entries, present: present)
    }

    /// The same section with other values for some lines.
    ///
    /// - Parameter replacement: Called for each line; `nil` keeps its value. What it returns must be a field value.
    func replacingValues(_ replacement: (FieldLine) -> ByteBuffer?) -> FieldSection {
        let start = self.entries.first?.line.lowerBound ?? 0
        var bytes = ByteBuffer()
        bytes.reserveCapacity(self.bytes.readableBytes + 64)
        self.bytes.copy(0..<start, to: &bytes)
        var entries: [FieldEntry] = []
        entries.reserveCapacity(self.entries.count)
        for (line, entry) in zip(self, self.entries) {
            let value = replacement(line) ?? line.value
            let layout = FieldLayout(
                nameLength: UInt16(entry.name.count),
                valueLength: UInt32(value.readableBytes),
                known: entry.known
            )
            var replaced = FieldEntry(lineStart: bytes.readableBytes, layout: layout)
            replaced.isNominated = entry.isNominated
            entries.append(replaced)
            bytes.writeImmutableBuffer(line.name)
            bytes.writeStaticString(": ")
            bytes.writeImmutableBuffer(value)
            bytes.writeStaticString("\r\n")
        }
        bytes.writeStaticString("\r\n")
        return FieldSection(bytes: bytes, entries: entries, present: present)
    }
}

extension ResponseHead {
    /// The same head with other values for some lines.
    ///
    /// - Parameter replacement: Called for each line; `nil` keeps its value. What it returns must be a field value.
    package func replacingValues(_ replacement: (FieldLine) -> ByteBuffer?) -> ResponseHead {
        ResponseHead(
            fields: fields.replacingValues(replacement),
            framing: framing,
            connection: connection,
            line: line
        )
    }
}

/// One field line of a section, for what looks at names that are not known fields: tests, logs, `explain`.
package struct FieldLine: Sendable, Equatable {
    /// The name as it was spelled.
    package let name: ByteBuffer
    /// The value without the white space around it.
    package let value: ByteBuffer
    package let known: KnownField
    /// Indicates whether no writer passes it on: a `Connection` field of the same head names it, or it is left out.
    package let isNominated: Bool
}

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

extension ByteBuffer {
    /// The bytes of a range that counts from the reader index and lies within what is readable.
    func slice(_ range: Range<Int>) -> ByteBuffer {
        getSlice(at: readerIndex + range.lowerBound, length: range.count) ?? ByteBuffer()
    }

    /// Copies a range, counted as above, to the end of another buffer.
    func copy(_ range: Range<Int>, to target: inout ByteBuffer) {
        if range.isEmpty { return }
        target.writeBytes(readableBytesSpan.extracting(range))
    }
}
