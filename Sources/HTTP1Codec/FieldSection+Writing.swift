package import NIOCore

extension FieldSection {
    /// Appends the lines as they came, each with its CR LF, without those whose names are in `dropping` and those that
    /// a `Connection` field nominated.
    package func writeLines(dropping: KnownFieldSet = [], into target: inout ByteBuffer) {
        writeLines(after: 0..<0, dropping: dropping, into: &target)
    }

    /// One line, for a writer of another form.
    ///
    /// - Parameter index: From 0 to `count`.
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
