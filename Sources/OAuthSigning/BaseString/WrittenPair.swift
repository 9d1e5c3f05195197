import Bytes

/// A parameter as it is written in a query, a form or an `Authorization` field, before anything is decoded.
package struct WrittenPair: Sendable {
    package var name: [UInt8]
    package var value: [UInt8]
    /// Indicates whether a `=` stands between them.
    package var hasEquals: Bool

    package init(name: [UInt8], value: [UInt8], hasEquals: Bool = true) {
        self.name = name
        self.value = value
        self.hasEquals = hasEquals
    }

    /// The pairs of a query or a form; an empty pair is none.
    package static func pairs(of form: [UInt8], separatedBy separators: String = "&") -> [WrittenPair] {
        form.split { separators.utf8.contains($0) }.map { pair in
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            return WrittenPair(
                name: Array(parts[0]),
                value: parts.count > 1 ? Array(parts[1]) : [],
                hasEquals: parts.count > 1
            )
        }
    }

    /// - Parameter plusIsSpace: Whether `+` stands for a space, as in queries and forms, and not in the field.
    package func decoded(plusIsSpace: Bool) -> (name: [UInt8], value: [UInt8]) {
        (
            PercentEncoding.decodeLeniently(name.span, plusIsSpace: plusIsSpace),
            PercentEncoding.decodeLeniently(value.span, plusIsSpace: plusIsSpace)
        )
    }
}
