/// The places of a line's name and value among the bytes that it was read from.
package struct FieldPlace: Sendable {
    package let name: Range<Int>
    package let value: Range<Int>
    package let known: KnownField
    /// The raw value of `known`, for tables.
    package let knownNumber: Int

    /// Reads one field line.
    ///
    /// - Parameter line: The line without its CR LF; it holds no control character but HTAB.
    package init(line: Range<Int>, of bytes: Span<UInt8>) throws(MessageError) {
        let entry = try FieldEntry(line: line, of: bytes)
        self.init(name: entry.name, value: entry.value, known: entry.known)
    }

    init(name: Range<Int>, value: Range<Int>, known: KnownField) {
        self.name = name
        self.value = value
        self.known = known
        knownNumber = Int(known.rawValue)
    }
}
