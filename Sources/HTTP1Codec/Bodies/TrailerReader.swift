import NIOCore

/// Reads a trailer section line by line as its bytes arrive (RFC 9112, section 7.1.2).
struct TrailerReader: Sendable {
    private var entries: [FieldEntry] = []
    private var present = KnownFieldSet()
    private var count = 0
    private var lines = LineScanner()

    mutating func reset() {
        entries.removeAll(keepingCapacity: true)
        present = KnownFieldSet()
        count = 0
        lines.reset()
    }

    /// - Parameter input: Begins with the first byte of the section.
    /// - Returns: The length of the section with its empty line, or `nil` if more bytes are needed.
    mutating func read(_ input: InputBuffer, limits: MessageLimits) throws(MessageError) -> Int? {
        let bytes = input.bytes.readableBytesUInt8Span
        while let line = try lines.next(in: bytes) {
            guard line.upperBound &+ 2 <= limits.trailerBytes else { throw .trailersTooLarge }
            if line.isEmpty { return line.upperBound &+ 2 }
            count += 1
            guard count <= limits.trailerFields else { throw .trailersTooLarge }
            let entry = try FieldEntry(line: line, of: bytes)
            if KnownFieldSet.refusedInTrailers.contains(entry.known) { throw .trailerFieldForbidden }
            if KnownFieldSet.droppedFromTrailers.contains(entry.known) { continue }
            entries.append(entry)
            present.insert(entry.known)
        }
        guard bytes.count <= limits.trailerBytes else { throw .trailersTooLarge }
        return nil
    }

    /// The section, or `nil` if no line of it is worth passing on.
    func section(bytes: ByteBuffer) -> FieldSection? {
        if self.entries.isEmpty { return nil }
        return FieldSection(bytes: bytes, entries: self.entries, present: self.present)
    }
}
