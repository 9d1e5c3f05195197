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
    ///   - start: Where the first line begins; the others follow without a gap.
    ///   - lines: What each line is, `name: value` CR LF.
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

    /// Where that value lies in ``bytes``.
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
