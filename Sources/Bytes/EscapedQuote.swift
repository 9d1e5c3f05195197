/// A quotation mark of a JSON text that may stand in a string of another, and that one in a third: with the backslashes
/// that are before it then, or as the number of its character (`\u0022`).
package struct EscapedQuote {
    private let mark: UInt8
    private let isNumeric: Bool
    private let backslashes: Int
    /// The index behind it.
    package let endIndex: Int

    /// Finds the quotation mark that begins at the index; nil when none does.
    package init?(in bytes: ArraySlice<UInt8>, at start: Int) {
        let rest = bytes[start...].drop { $0 == UInt8(ascii: "\\") }
        guard let first = rest.first else { return nil }
        backslashes = rest.startIndex - start
        isNumeric = backslashes > 0 && first == UInt8(ascii: "u")
        switch first {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): mark = first
        case UInt8(ascii: "u") where isNumeric && rest.starts(with: "u0022".utf8): mark = UInt8(ascii: "\"")
        case UInt8(ascii: "u") where isNumeric && rest.starts(with: "u0027".utf8): mark = UInt8(ascii: "'")
        default: return nil
        }
        endIndex = rest.startIndex + (isNumeric ? 5 : 1)
    }

    /// Returns where the quotation mark begins that ends what this one begins, or the end of the bytes where none does.
    package func closing(in bytes: ArraySlice<UInt8>) -> Int {
        var index = endIndex
        while index < bytes.endIndex {
            guard bytes[index] == UInt8(ascii: "\\") || bytes[index] == mark else {
                index += 1
                continue
            }
            guard let other = EscapedQuote(in: bytes, at: index) else {
                index = bytes[index...].drop { $0 == UInt8(ascii: "\\") }.startIndex
                continue
            }
            if isClosed(by: other) { return other.endIndex - (endIndex - startIndex) }
            index = other.endIndex
        }
        return bytes.endIndex
    }

    private var startIndex: Int { endIndex - backslashes - (isNumeric ? 5 : 1) }

    /// One more backslash than belongs to the end is what escapes a quotation mark; as many more as escape one that was
    /// escaped are a backslash of the text.
    private func isClosed(by other: EscapedQuote) -> Bool {
        let ofBackslash = isNumeric ? 4 * backslashes : 2 * (backslashes + 1)
        return other.mark == mark && other.isNumeric == isNumeric && other.backslashes % ofBackslash == backslashes
    }
}
