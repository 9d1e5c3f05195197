/// A key that is written again in the same mapping: its name, and where it is written first.
struct RenamedKey {
    var name: String
    var position: SourcePosition

    private static let maximumCount = 64

    /// Puts a character of the private use area in the place of the key's first, so that no position changes.
    /// - Returns: `nil` when the key is not found there as it is, or too many were renamed already.
    static func rename(_ key: String, at position: SourcePosition, in text: String, earlier: [RenamedKey]) -> String? {
        guard earlier.count < maximumCount, !earlier.contains(where: { $0.position == position }),
            let replacement = Unicode.Scalar(0xe000 + earlier.count)
        else { return nil }
        var scalars = text.unicodeScalars
        guard !scalars.contains(replacement) else { return nil }
        var index = scalars.startIndex
        for _ in 1..<max(position.line, 1) {
            guard let end = scalars[index...].firstIndex(of: "\n") else { return nil }
            index = scalars.index(after: end)
        }
        guard let start = scalars.index(index, offsetBy: position.column - 1, limitedBy: scalars.endIndex) else {
            return nil
        }
        index = start
        if index < scalars.endIndex, scalars[index] == "\"" || scalars[index] == "'" {
            scalars.formIndex(after: &index)
        }
        guard scalars[index...].starts(with: key.unicodeScalars), !key.isEmpty else { return nil }
        scalars.replaceSubrange(index...index, with: CollectionOfOne(replacement))
        return String(scalars)
    }
}
