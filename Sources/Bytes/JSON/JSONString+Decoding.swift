extension JSONString {
    /// The text that a string of JSON stands for.
    package struct Decoded: Equatable, Sendable {
        package enum Form: Equatable, Sendable {
            case text
            /// A string of JSON that is no Unicode text, for half a surrogate pair, or for bytes that are not UTF-8.
            case notUnicode
            /// No string of JSON, for the control character or the backslash at this position.
            case malformed(at: Int)
        }

        /// The text, with U+FFFD in place of what is not Unicode, and without a backslash that begins no escape.
        package let text: String
        package let form: Form
    }

    /// Undoes the escapes in the content of a string, which may be any bytes.
    package static func decode(_ content: ArraySlice<UInt8>) -> Decoded {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(content.count)
        var isUnicode = true
        var fault: Int?
        var index = content.startIndex
        while index < content.endIndex {
            let byte = content[index]
            if byte == UInt8(ascii: "\\") {
                switch escape(in: content, at: index) {
                case .character(let scalar, let end):
                    bytes += String(scalar).utf8
                    index = end
                    continue
                case .halfPair(let end):
                    isUnicode = false
                    bytes += "\u{FFFD}".utf8
                    index = end
                    continue
                case .unknown:
                    fault = fault ?? index
                    index += 1
                    // The next byte stands for itself, and so does a backslash that nothing follows.
                    guard index == content.endIndex else { continue }
                }
            } else {
                if byte < 0x20 { fault = fault ?? index }
                index += 1
            }
            bytes.append(byte)
        }
        let text = String(validating: bytes, as: UTF8.self)
        return Decoded(
            text: text ?? String(decoding: bytes, as: UTF8.self),
            form: fault.map { Decoded.Form.malformed(at: $0) } ?? (isUnicode && text != nil ? .text : .notUnicode)
        )
    }

    /// The meaning of a backslash and of what follows it, with the index behind them.
    private enum Escape {
        case character(Unicode.Scalar, end: Int)
        /// Half a surrogate pair without the other half.
        case halfPair(end: Int)
        case unknown
    }

    private static func escape(in content: ArraySlice<UInt8>, at start: Int) -> Escape {
        guard start + 1 < content.endIndex else { return .unknown }
        let end = start + 2
        switch content[start + 1] {
        case UInt8(ascii: "\""): return .character("\"", end: end)
        case UInt8(ascii: "\\"): return .character("\\", end: end)
        case UInt8(ascii: "/"): return .character("/", end: end)
        case UInt8(ascii: "b"): return .character("\u{8}", end: end)
        case UInt8(ascii: "f"): return .character("\u{C}", end: end)
        case UInt8(ascii: "n"): return .character("\n", end: end)
        case UInt8(ascii: "r"): return .character("\r", end: end)
        case UInt8(ascii: "t"): return .character("\t", end: end)
        case UInt8(ascii: "u"): return numericEscape(in: content, digitsAt: end)
        default: return .unknown
        }
    }

    private static func numericEscape(in content: ArraySlice<UInt8>, digitsAt start: Int) -> Escape {
        guard let unit = codeUnit(in: content, at: start) else { return .unknown }
        let end = start + 4
        if let scalar = Unicode.Scalar(unit) { return .character(scalar, end: end) }
        guard unit < 0xDC00, content[end...].starts(with: "\\u".utf8),
            let other = codeUnit(in: content, at: end + 2), 0xDC00...0xDFFF ~= other,
            let scalar = Unicode.Scalar(0x10000 + (unit - 0xD800) << 10 + (other - 0xDC00))
        else { return .halfPair(end: end) }
        return .character(scalar, end: end + 6)
    }

    /// Returns the number that four hexadecimal digits are; nil where others stand.
    private static func codeUnit(in content: ArraySlice<UInt8>, at start: Int) -> UInt32? {
        guard start + 4 <= content.endIndex else { return nil }
        var unit: UInt32 = 0
        for byte in content[start..<(start + 4)] {
            guard let digit = byte.hexadecimalValue else { return nil }
            unit = unit << 4 | UInt32(digit)
        }
        return unit
    }
}
