import Bytes

/// A DNS name in the form in which names are compared: ASCII in lower case, without a trailing dot.
struct DomainName: Hashable {
    let bytes: [UInt8]

    /// - Parameter text: Letters, digits, hyphens and underscores in labels of 1 to 63 bytes, at most 253 in all. The
    ///   leftmost label may be `*`, and stands for one label then.
    init?(_ text: some StringProtocol) {
        var bytes = text.utf8.map(\.lowercasedASCII)
        if bytes.last == Self.dot { bytes.removeLast() }
        let rest = bytes.starts(with: [UInt8(ascii: "*"), Self.dot]) ? bytes.dropFirst(2) : bytes[...]
        guard bytes.count <= 253, !rest.isEmpty else { return nil }
        for label in rest.split(separator: Self.dot, omittingEmptySubsequences: false) {
            guard (1...63).contains(label.count), label.allSatisfy({ Self.isLabelByte($0) }) else { return nil }
        }
        self.bytes = bytes
    }

    var isWildcard: Bool { bytes.first == UInt8(ascii: "*") }

    /// The bytes behind the leftmost label and its dot; nil where there is one label alone.
    var parent: ArraySlice<UInt8>? {
        bytes.firstIndex(of: Self.dot).map { bytes[($0 + 1)...] }
    }

    /// Returns whether this is the name, or one made of it by labels to its left.
    func isWithin(_ name: DomainName) -> Bool { bytes == name.bytes || isBelow(name) }

    /// Returns whether this is made of the name by one label or more to its left.
    func isBelow(_ name: DomainName) -> Bool {
        let start = bytes.count - name.bytes.count
        return start > 1 && bytes[start - 1] == Self.dot && bytes[start...].elementsEqual(name.bytes)
    }

    private static let dot = UInt8(ascii: ".")

    private static func isLabelByte(_ byte: UInt8) -> Bool {
        byte.isLowercase || byte.isDigit || byte == UInt8(ascii: "-") || byte == UInt8(ascii: "_")
    }
}
