import Bytes

/// Finds what may be a secret in a text whose form is not known: members of JSON, elements of XML, parameters, lines of
/// heads, credentials, and whatever of it is percent-encoded.
///
/// The work is linear in the text: names are looked for in a bounded number of bytes before each separator.
enum SecretText {
    /// Percent-encodings within percent-encodings that are undone, and JSON in strings of JSON that is.
    private static let deepest = 3
    /// The bytes of a name, one more than a name has that is none of a secret, and the names of a text that are looked
    /// at; a text with more may hold anything.
    private static let longestName = 257
    private static let mostNames = 512
    /// The bytes of values that are found in a text.
    private static let longest = 16 * 1024
    /// Words that stand before credentials, in lower case.
    private static let schemes: Set<String> = ["bearer", "basic", "token", "negotiate", "apikey"]

    /// Returns whether there may be a secret in a text, or in what is encoded in it.
    static func mayHold(_ text: some StringProtocol) -> Bool {
        var isHeld = false
        let isRead = read(Array(text.utf8)) { bytes in
            isHeld = isHeld || find(in: bytes, separators: [0x3D, 0x3A], { _ in false }) > 0 || hasUser(bytes)
        }
        return isHeld || !isRead
    }

    /// Returns whether there may be a secret in a text that is in no parameter of a reference, and not encoded.
    static func mayHoldOutsideParameters(_ text: some StringProtocol) -> Bool {
        find(in: Array(text.utf8), separators: [0x3A], { _ in false }) > 0
    }

    /// Calls `body` with each value that may be a secret.
    ///
    /// - Returns: Whether the text was looked into as a whole.
    static func values(in text: some StringProtocol, _ body: (String) -> Void) -> Bool {
        var isWhole = true
        let isRead = read(Array(text.utf8)) { bytes in
            var length = 0
            let count = find(in: bytes, separators: [0x3D, 0x3A]) { value in
                length += value.count
                guard length <= longest else { return false }
                body(String(decoding: bytes[value], as: UTF8.self))
                unescaped(bytes[value], body)
                return true
            }
            if count > mostNames || length > longest { isWhole = false }
            if !members(of: bytes, body) { isWhole = false }
        }
        return isWhole && isRead
    }

    /// Calls `body` with the values of JSON, and of JSON in strings of it, that may be secrets.
    ///
    /// - Returns: Whether there is none further within.
    private static func members(of bytes: [UInt8], depth: Int = 0, _ body: (String) -> Void) -> Bool {
        guard let first = bytes.first(where: { $0 > 0x20 }), "{[\"".utf8.contains(first) else { return true }
        guard depth <= deepest else { return false }
        var isWhole = true
        JSONMembers.read(bytes) { name, value in
            if name.map(SecretName.includes) ?? false { body(value) }
            if !members(of: Array(value.utf8), depth: depth + 1, body) { isWhole = false }
        }
        return isWhole
    }

    /// Calls `body` with a value that has escapes of JSON, with them undone once and more often.
    private static func unescaped(_ value: ArraySlice<UInt8>, _ body: (String) -> Void) {
        var bytes = Array(value)
        for _ in 0...deepest where bytes.contains(UInt8(ascii: "\\")) {
            let text = JSONString.decode(bytes[...]).text
            body(text)
            bytes = Array(text.utf8)
        }
    }

    /// Calls `body` with a text and with what is encoded in it.
    ///
    /// - Returns: False when there is more encoded in it than is undone.
    private static func read(_ text: [UInt8], _ body: (_ bytes: [UInt8]) -> Void) -> Bool {
        var bytes = text
        for _ in 0...deepest {
            body(bytes)
            let decoded = PercentEncoding.decodeLeniently(bytes.span)
            if decoded == bytes { return true }
            bytes = decoded
        }
        return PercentEncoding.decodeLeniently(bytes.span) == bytes
    }

    // MARK: One text

    /// Calls `body` with the place of each value that may be a secret, until it returns false.
    ///
    /// - Returns: The number of values found; more than ``mostNames`` when there are more names than are looked at.
    private static func find(in bytes: [UInt8], separators: Set<UInt8>, _ body: (Range<Int>) -> Bool) -> Int {
        var found = 0
        var names = 0
        var index = 0
        /// The last `<` before, of which no `>` was found yet.
        var opening: Int?
        while index < bytes.count {
            let byte = bytes[index]
            if separators.contains(byte) || byte == UInt8(ascii: ">") {
                let isElement = byte == UInt8(ascii: ">")
                let name =
                    isElement ? element(in: bytes, from: opening, to: index) : name(in: bytes, before: index)
                if isElement { opening = nil }
                if !name.isEmpty {
                    names += 1
                    guard names <= mostNames else { return mostNames + 1 }
                    if SecretName.includes(name) {
                        let value = value(in: bytes, after: index, isElement: isElement)
                        if !value.isEmpty, bytes[value] != Array(Redaction.mark.utf8)[...] {
                            found += 1
                            guard body(value) else { return found }
                        }
                    }
                }
                index += 1
            } else if isWord(byte), index == 0 || !isWord(bytes[index - 1]) {
                let end = bytes[index...].firstIndex { !isWord($0) } ?? bytes.count
                let length = end - index
                if length >= 8, bytes[index..<index + 3] == [0x65, 0x79, 0x4A], end < bytes.count, bytes[end] == 0x2E {
                    let end = bytes[end...].firstIndex { !isWord($0) && $0 != 0x2E } ?? bytes.count
                    found += 1
                    guard body(index..<end) else { return found }
                    index = end
                } else if length <= 9, let value = credentials(in: bytes, index..<end) {
                    found += 1
                    guard body(value) else { return found }
                    index = value.upperBound
                } else {
                    index = end
                }
            } else {
                if byte == UInt8(ascii: "<") { opening = index }
                index += 1
            }
        }
        return found
    }

    /// Returns what stands behind the name of a scheme and spaces, as forms have them, too.
    private static func credentials(in bytes: [UInt8], _ word: Range<Int>) -> Range<Int>? {
        guard word.upperBound < bytes.count, isSpace(bytes[word.upperBound]),
            schemes.contains(String(decoding: bytes[word], as: UTF8.self).lowercased()),
            let start = bytes[word.upperBound...].firstIndex(where: { !isSpace($0) }), isCredential(bytes[start])
        else { return nil }
        return start..<(bytes[start...].firstIndex { !isCredential($0) } ?? bytes.count)
    }

    /// Returns the name of an element of XML; of what ends one, or is none, an empty one.
    private static func element(in bytes: [UInt8], from start: Int?, to end: Int) -> String {
        guard let start else { return "" }
        let name = bytes[(start + 1)..<end].prefix(longestName).prefix { $0 > 0x20 }
        return name.contains(UInt8(ascii: "/")) ? "" : String(decoding: name, as: UTF8.self)
    }

    /// Returns the name that stands before a separator, with or without quotes.
    private static func name(in bytes: [UInt8], before separator: Int) -> String {
        let firstAround = max(0, separator - longestName)
        let around: [UInt8] = [0x20, 0x09, 0x0A, 0x0D, UInt8(ascii: "\""), UInt8(ascii: "'"), UInt8(ascii: "\\")]
        var end = separator
        while end > firstAround, around.contains(bytes[end - 1]) { end -= 1 }
        let first = max(0, end - longestName)
        var start = end
        while start > first, isName(bytes[start - 1]) { start -= 1 }
        return String(decoding: bytes[start..<end], as: UTF8.self)
    }

    private static func value(in bytes: [UInt8], after separator: Int, isElement: Bool) -> Range<Int> {
        var start = separator + 1
        if isElement {
            return start..<(bytes[start...].firstIndex(of: UInt8(ascii: "<")) ?? bytes.count)
        }
        let limit = min(bytes.count, start + 64)
        while start < limit, isSpace(bytes[start]) { start += 1 }
        guard start < bytes.count else { return start..<start }
        if let quote = EscapedQuote(in: bytes[...], at: start) {
            return quote.endIndex..<quote.closing(in: bytes[...])
        }
        return start..<(bytes[start...].firstIndex(where: endsValue) ?? bytes.count)
    }

    /// Returns whether there is user information in a reference.
    private static func hasUser(_ bytes: [UInt8]) -> Bool {
        var slashes = 0
        for byte in bytes {
            switch byte {
            case UInt8(ascii: "/"): slashes += 1
            case UInt8(ascii: "?"), UInt8(ascii: "#"), UInt8(ascii: "&"), 0x20: slashes = 0
            case UInt8(ascii: "@") where slashes == 2: return true
            default: if slashes == 1 || slashes > 2 { slashes = 0 }
            }
        }
        return false
    }

    // MARK: Bytes

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || byte == 0x09 || byte == UInt8(ascii: "+") }

    private static func endsValue(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x26, 0x3B, 0x2C, 0x7D, 0x5D, 0x3C, 0x22, 0x0A, 0x0D, 0x23: true
        default: false
        }
    }

    private static func isWord(_ byte: UInt8) -> Bool {
        byte != 0x2E && byte != UInt8(ascii: "~") && PercentEncoding.isUnreserved(byte)
    }

    private static func isCredential(_ byte: UInt8) -> Bool {
        byte > 0x20 && ![0x22, 0x27, 0x2C, 0x3B, 0x26, 0x3C, 0x3E, 0x28, 0x29, 0x7B, 0x7D].contains(byte)
    }

    private static func isName(_ byte: UInt8) -> Bool {
        PercentEncoding.isUnreserved(byte) || byte == UInt8(ascii: "[") || byte == UInt8(ascii: "]")
            || byte == UInt8(ascii: "$") || byte >= 0x80
    }
}
