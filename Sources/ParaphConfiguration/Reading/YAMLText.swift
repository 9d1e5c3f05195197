/// The text of a YAML file that has been found fit for the parser.
///
/// What is looked for here would cost the parser memory, time or stack out of proportion, or would be reported
/// without a position: text that is not UTF-8, control characters, deep nesting, and anchors with their aliases, by
/// which a small file stands for a large one.
struct YAMLText {
    static let maximumOctets = 4 * 1024 * 1024

    /// UTF-8, without a byte order mark.
    let octets: [UInt8]

    init(_ octets: [UInt8]) throws(Mistake) {
        let octets = octets.starts(with: [0xef, 0xbb, 0xbf]) ? Array(octets.dropFirst(3)) : octets
        if let index = octets.firstIndex(where: { $0 < 0x20 && ![0x09, 0x0a, 0x0d].contains($0) || $0 == 0x7f }) {
            throw Mistake(
                at: Self.position(of: index, in: octets),
                "the file holds a control character; a configuration file is plain UTF-8 text"
            )
        }
        do {
            _ = try UTF8Span(validating: octets.span)
        } catch {
            throw Mistake(
                at: Self.position(of: error.byteOffsets.lowerBound, in: octets),
                "the file is not UTF-8 from here on; save it as UTF-8 text"
            )
        }
        var scan = YAMLStructureScan(octets)
        try scan.run()
        self.octets = octets
    }

    /// The place of an octet.
    func position(of index: Int) -> SourcePosition { Self.position(of: min(index, octets.count), in: octets) }

    private static func position(of index: Int, in octets: [UInt8]) -> SourcePosition {
        let before = octets[..<index]
        let lineStart = before.lastIndex(of: 0x0a).map { $0 + 1 } ?? 0
        return SourcePosition(
            line: before.count { $0 == 0x0a } + 1,
            column: String(decoding: octets[lineStart..<index], as: UTF8.self).unicodeScalars.count + 1
        )
    }
}

extension Mistake: Error {}
