import Bytes

extension Span where Element == UInt8 {
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// - Parameter text: Its letters must be in lower case.
    func equalsIgnoringCase(_ text: String) -> Bool {
        count == text.utf8.count && hasPrefixIgnoringCase(text)
    }

    /// - Parameter prefix: Its letters must be in lower case.
    func hasPrefixIgnoringCase(_ prefix: String) -> Bool {
        let prefix = prefix.utf8Span.span
        guard count >= prefix.count else { return false }
        for index in prefix.indices {
            let byte = self[index]
            let lowered = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte) ? byte | 0x20 : byte
            guard lowered == prefix[index] else { return false }
        }
        return true
    }

    /// Without one layer of percent-encoding (RFC 3986, section 2.1), as lenient readers take it off: what is none
    /// stays.
    func percentDecoded() -> [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        var index = 0
        while index < count {
            if self[index] == UInt8(ascii: "%"), index + 2 < count, let high = Hexadecimal.value(of: self[index + 1]),
                let low = Hexadecimal.value(of: self[index + 2])
            {
                bytes.append(high << 4 | low)
                index += 3
            } else {
                bytes.append(self[index])
                index += 1
            }
        }
        return bytes
    }

    /// `nil` when the bytes are not UTF-8.
    var text: String? {
        guard let valid = try? UTF8Span(validating: self) else { return nil }
        return String(copying: valid)
    }
}
