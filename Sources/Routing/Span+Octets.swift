extension Span where Element == UInt8 {
    func equals(_ other: Span<UInt8>) -> Bool {
        guard count == other.count else { return false }
        for index in indices where self[index] != other[index] { return false }
        return true
    }

    /// - Parameter text: its letters must be in lower case.
    func equalsIgnoringCase(_ text: String) -> Bool {
        count == text.utf8.count && hasPrefixIgnoringCase(text)
    }

    /// - Parameter prefix: its letters must be in lower case.
    func hasPrefixIgnoringCase(_ prefix: String) -> Bool {
        let prefix = prefix.utf8Span.span
        guard count >= prefix.count else { return false }
        for index in prefix.indices {
            let octet = self[index]
            let lowered = (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(octet) ? octet | 0x20 : octet
            guard lowered == prefix[index] else { return false }
        }
        return true
    }

    /// `nil` when the octets are not UTF-8.
    var text: String? {
        guard let valid = try? UTF8Span(validating: self) else { return nil }
        return String(copying: valid)
    }
}
