import Bytes

/// A parameter as it is written in a query, a form or an `Authorization` field, before anything is decoded.
struct WrittenPair: Sendable {
    var name: [UInt8]
    var value: [UInt8]
    /// Whether a `=` stands between them.
    var hasEquals = true

    /// The pairs of a query or a form; an empty pair is none.
    static func pairs(of form: [UInt8], separatedBy separators: String = "&") -> [WrittenPair] {
        form.split { separators.utf8.contains($0) }.map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return WrittenPair(
                name: Array(parts[0]),
                value: parts.count > 1 ? Array(parts[1]) : [],
                hasEquals: parts.count > 1
            )
        }
    }

    /// - Parameter plusIsSpace: As queries and forms have it, and the field does not.
    func decoded(plusIsSpace: Bool) -> (name: [UInt8], value: [UInt8]) {
        (
            PercentEncoding.decodeLeniently(name.span, plusIsSpace: plusIsSpace),
            PercentEncoding.decodeLeniently(value.span, plusIsSpace: plusIsSpace)
        )
    }
}
