import Bytes

/// Printable text in UTF-8 of whose making nothing is known: what stands at a place may be a character, or one in an
/// escape of URLs, of JSON or of HTML.
struct EscapedText {
    let bytes: [UInt8]

    /// The text in printable characters.
    init(_ text: some StringProtocol) { bytes = Array(condensed(text).utf8) }

    /// - Parameter printable: Printable characters.
    private init(printable: [UInt8]) { bytes = printable }

    /// Returns the text with the escapes of JSON undone, and for each of its bytes, and its end, the index at which
    /// what it was made of begins; nil when there are none.
    func unescaped() -> (text: EscapedText, starts: [Int])? {
        guard bytes.contains(UInt8(ascii: "\\")) else { return nil }
        var result: [UInt8] = []
        var starts: [Int] = []
        var index = 0
        while index < bytes.endIndex {
            var (read, end) = (Array(bytes[index...index]), index + 1)
            if bytes[index] == UInt8(ascii: "\\") {
                if let (scalar, scalarEnd) = escapedByJSON(at: index) {
                    read = scalar.isPrintable ? Array(String(scalar).utf8) : [0x20]
                    end = scalarEnd
                } else if end < bytes.endIndex, "\"\\/bfnrt".utf8.contains(bytes[end]) {
                    read = bytes[end] < 0x61 ? [bytes[end]] : [0x20]
                    end += 1
                }
            }
            result += read
            starts += read.map { _ in index }
            index = end
        }
        return (EscapedText(printable: result), starts + [index])
    }

    /// Calls `body` with each character that may be read at an index, and with the index at which it ends: `%2541`
    /// begins with a percent sign, with an encoded one, and with `A`, encoded twice.
    func readings(at start: Int, _ body: (Unicode.Scalar, Int) -> Void) {
        guard start < bytes.endIndex else { return }
        if let (scalar, end) = character(at: start) { body(scalar, end) }
        switch bytes[start] {
        case UInt8(ascii: "%"): percentEncoded(at: start, after: [], body)
        case UInt8(ascii: "\\"):
            if let (scalar, end) = character(at: start + 1) { body(scalar, end) }
            if let (scalar, end) = escapedByJSON(at: start) { body(scalar, end) }
        case UInt8(ascii: "&"):
            if let (scalar, end) = escapedByHTML(at: start) { body(scalar, end) }
        default: return
        }
    }

    private func character(at start: Int) -> (Unicode.Scalar, Int)? {
        guard start < bytes.endIndex else { return nil }
        var iterator = bytes[start...].makeIterator()
        var parser = Unicode.UTF8.ForwardParser()
        guard case .valid(let encoded) = parser.parseScalar(from: &iterator) else { return nil }
        return (Unicode.UTF8.decode(encoded), start + encoded.count)
    }

    /// RFC 3986, section 2.1, be `%` encoded itself. `before` are the bytes of the character that were read already.
    private func percentEncoded(at start: Int, after before: [UInt8], _ body: (Unicode.Scalar, Int) -> Void) {
        for sign in ["%", "%25"] where has(sign, at: start) {
            guard let (digits, end) = number(at: start + sign.utf8.count, radix: 16, digits: 2...2) else { continue }
            let encoded = before + [UInt8(digits)]
            if encoded.count == Self.count(ofCharacterFrom: encoded[0]) {
                // It is none where the bytes after the first are no such bytes.
                for scalar in (String(validating: encoded, as: UTF8.self) ?? "").unicodeScalars { body(scalar, end) }
            } else if encoded.count < Self.count(ofCharacterFrom: encoded[0]) {
                percentEncoded(at: end, after: encoded, body)
            }
        }
    }

    /// Returns the number of bytes in UTF-8 of a character that begins with this one.
    private static func count(ofCharacterFrom byte: UInt8) -> Int { max(1, (~byte).leadingZeroBitCount) }

    /// RFC 8259, section 7.
    private func escapedByJSON(at start: Int) -> (Unicode.Scalar, Int)? {
        guard let (unit, end) = codeUnit(at: start) else { return nil }
        if let scalar = Unicode.Scalar(unit) { return (scalar, end) }
        guard let (low, lowEnd) = codeUnit(at: end) else { return nil }
        var units = [UInt16(unit), UInt16(low)].makeIterator()
        var parser = Unicode.UTF16.ForwardParser()
        guard case .valid(let encoded) = parser.parseScalar(from: &units) else { return nil }
        return (Unicode.UTF16.decode(encoded), lowEnd)
    }

    private func codeUnit(at start: Int) -> (UInt32, Int)? {
        has("\\u", at: start) ? number(at: start + 2, radix: 16, digits: 4...4) : nil
    }

    private func escapedByHTML(at start: Int) -> (Unicode.Scalar, Int)? {
        for (name, scalar) in Self.names where has(name, at: start) { return (scalar, start + name.utf8.count) }
        for (sign, radix) in [("&#x", 16), ("&#", 10)] where has(sign, at: start) {
            guard let (value, end) = number(at: start + sign.utf8.count, radix: UInt32(radix), digits: 1...8) else {
                continue
            }
            guard has(";", at: end), let scalar = Unicode.Scalar(value) else { continue }
            return (scalar, end + 1)
        }
        return nil
    }

    private static let names: [(String, Unicode.Scalar)] = [
        ("&amp;", "&"), ("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&apos;", "'"),
    ]

    /// Returns whether a text of ASCII, in lower case, stands there in either case.
    private func has(_ text: String, at start: Int) -> Bool {
        guard start <= bytes.endIndex else { return false }
        return bytes.span.extracting(start...).hasPrefixIgnoringCase(text)
    }

    /// Returns the value of as many digits as there are, eight at most, and where they end; nil when there are fewer
    /// than the range wants.
    private func number(at start: Int, radix: UInt32, digits: ClosedRange<Int>) -> (UInt32, Int)? {
        var value: UInt32 = 0
        var end = start
        while end < bytes.endIndex, end - start < digits.upperBound {
            guard let digit = Character(Unicode.Scalar(bytes[end])).hexDigitValue, digit < radix else { break }
            value = value * radix + UInt32(digit)
            end += 1
        }
        return end - start < digits.lowerBound ? nil : (value, end)
    }
}
