package import NIOCore

extension FieldSection {
    /// The values of all lines with a name that is no known field, in order.
    ///
    /// - Parameter name: In lower case.
    package func values(named name: String) -> [ByteBuffer] {
        entries.lazy
            .filter { $0.known == .other && slice($0.name).readableBytesUInt8Span.spellsIgnoringCase(name) }
            .map { slice($0.value) }
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
        return FieldSection(bytes: bytes, entries: entries, present: self.present)
    }
}

extension ResponseHead {
    /// The same head with other values for some lines.
    ///
    /// - Parameter replacement: Called for each line; `nil` keeps its value. What it returns must be a field value.
    package func replacingValues(_ replacement: (FieldLine) -> ByteBuffer?) -> ResponseHead {
        ResponseHead(
            fields: self.fields.replacingValues(replacement),
            framing: self.framing,
            connection: self.connection,
            line: self.line
        )
    }
}
