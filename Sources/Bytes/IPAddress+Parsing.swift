extension IPAddress {
    /// Four decimal numbers without leading zeros, because other readers take `010` for octal.
    package init?(ipv4 text: Span<UInt8>) {
        guard text.count <= 15 else { return nil }
        var bits: UInt32 = 0
        var groups = 0
        var value: UInt32 = 0
        var digits = 0
        for index in 0...text.count {
            let byte = index < text.count ? text[index] : UInt8(ascii: ".")
            switch byte {
            case UInt8(ascii: "0")...UInt8(ascii: "9"):
                if digits > 0, value == 0 { return nil }
                value = value * 10 + UInt32(byte - UInt8(ascii: "0"))
                digits += 1
                if value > 255 { return nil }
            case UInt8(ascii: "."):
                guard digits > 0, groups < 4 else { return nil }
                bits = bits << 8 | value
                groups += 1
                value = 0
                digits = 0
            default:
                return nil
            }
        }
        guard groups == 4 else { return nil }
        self = .v4(bits)
    }

    /// RFC 4291, section 2.2, the form with a dotted tail included.
    package init?(ipv6 text: Span<UInt8>) {
        guard text.count >= 2, text.count <= 45 else { return nil }
        var groups: [UInt16] = []
        var gap: Int?
        var index = 0
        if text[0] == UInt8(ascii: ":") {
            guard text[1] == UInt8(ascii: ":") else { return nil }
            gap = 0
            index = 2
        }
        while index < text.count {
            let start = index
            while index < text.count, text[index] != UInt8(ascii: ":") { index += 1 }
            let part = text.extracting(start..<index)
            if index == text.count, case .v4(let bits) = IPAddress(ipv4: part) {
                groups += [UInt16(truncatingIfNeeded: bits >> 16), UInt16(truncatingIfNeeded: bits)]
            } else if let group = Self.group(part) {
                groups.append(group)
            } else {
                return nil
            }
            guard index < text.count else { break }
            index += 1
            if index == text.count { return nil }
            if text[index] == UInt8(ascii: ":") {
                guard gap == nil else { return nil }
                gap = groups.count
                index += 1
            }
        }
        if let gap {
            guard groups.count < 8 else { return nil }
            groups.insert(contentsOf: repeatElement(0, count: 8 - groups.count), at: gap)
        }
        guard groups.count == 8 else { return nil }
        self = .v6(
            high: groups[..<4].reduce(0) { $0 << 16 | UInt64($1) },
            low: groups[4...].reduce(0) { $0 << 16 | UInt64($1) }
        )
    }

    /// One to four hexadecimal digits.
    private static func group(_ text: Span<UInt8>) -> UInt16? {
        guard (1...4).contains(text.count) else { return nil }
        var value: UInt16 = 0
        for index in text.indices {
            guard let digit = Hexadecimal.value(of: text[index]) else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
