/// An IPv4 or IPv6 address, without a zone.
package enum IPAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(high: UInt64, low: UInt64)

    /// Network byte order, 4 or 16 bytes; `nil` for any other count.
    package init?(bytes: some Collection<UInt8>) {
        switch bytes.count {
        case 4:
            self = .v4(bytes.reduce(0) { $0 << 8 | UInt32($1) })
        case 16:
            self = .v6(
                high: bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) },
                low: bytes.dropFirst(8).reduce(0) { $0 << 8 | UInt64($1) }
            )
        default:
            return nil
        }
    }

    /// Network byte order, 4 or 16 bytes.
    package var bytes: [UInt8] {
        switch self {
        case .v4(let bits): stride(from: 24, through: 0, by: -8).map { UInt8(truncatingIfNeeded: bits >> UInt32($0)) }
        case .v6(let high, let low):
            [high, low].flatMap { half in
                stride(from: 56, through: 0, by: -8).map { UInt8(truncatingIfNeeded: half >> UInt64($0)) }
            }
        }
    }

    /// `192.0.2.1` or `2001:db8::1`, without brackets. Shortened, octal and hexadecimal IPv4 forms are refused.
    package init?(_ text: String) {
        self.init(text: text.utf8Span.span)
    }

    /// Reads an address as `init(_:)` does, from bytes.
    package init?(text: Span<UInt8>) {
        if let address = IPAddress(ipv4: text) ?? IPAddress(ipv6: text) {
            self = address
        } else {
            return nil
        }
    }

    /// The IPv4 address inside an IPv4-mapped IPv6 address (RFC 4291, section 2.5.5.2), otherwise the address itself.
    package var unmapped: IPAddress {
        guard case .v6(high: 0, let low) = self, low >> 32 == 0xffff else { return self }
        return .v4(UInt32(truncatingIfNeeded: low))
    }

    /// 127.0.0.0/8 and ::1.
    package var isLoopback: Bool {
        switch unmapped {
        case .v4(let bits): bits >> 24 == 127
        case .v6(let high, let low): high == 0 && low == 1
        }
    }

    /// 0.0.0.0 and ::, which a listener takes for “every address”.
    package var isUnspecified: Bool {
        switch self {
        case .v4(let bits): bits == 0
        case .v6(let high, let low): high == 0 && low == 0
        }
    }
}

extension IPAddress: CustomStringConvertible {
    /// The canonical text (RFC 5952), without brackets.
    package var description: String {
        switch self {
        case .v4(let bits):
            return Self.dotted(bits)
        case .v6(let high, let low):
            if case .v4(let bits) = unmapped { return "::ffff:" + Self.dotted(bits) }
            let groups = [high, low].flatMap { half in
                [48, 32, 16, 0].map { UInt16(truncatingIfNeeded: half >> $0) }
            }
            return Self.compressed(groups)
        }
    }

    private static func dotted(_ bits: UInt32) -> String {
        "\(bits >> 24).\(bits >> 16 & 255).\(bits >> 8 & 255).\(bits & 255)"
    }

    /// Replaces the first of the longest runs of two or more zero groups by `::`.
    private static func compressed(_ groups: [UInt16]) -> String {
        var longest = 0..<0
        var start = 0
        while start < groups.count {
            var end = start
            while end < groups.count, groups[end] == 0 { end += 1 }
            if end - start > max(longest.count, 1) { longest = start..<end }
            start = max(end, start + 1)
        }
        func hexadecimal(_ part: ArraySlice<UInt16>) -> String {
            part.map { String($0, radix: 16) }.joined(separator: ":")
        }
        if longest.isEmpty { return hexadecimal(groups[...]) }
        return hexadecimal(groups[..<longest.lowerBound]) + "::" + hexadecimal(groups[longest.upperBound...])
    }
}

extension IPAddress {
    /// The address itself, and every one that a connection to it may end at instead: the IPv4 address that a translator
    /// or a tunnel finds in an IPv6 address, and loopback for the unspecified address, which systems connect to as
    /// such.
    ///
    /// Looked for are IPv4-mapped and IPv4-compatible addresses (RFC 4291, section 2.5.5), those of IPv4/IPv6
    /// translators under the two prefixes that are set apart for them (RFC 6052, section 2.1, and RFC 8215, with each
    /// length that the latter leaves room for), 6to4 (RFC 3056), and Teredo (RFC 4380, section 4: the client's,
    /// inverted). A translator's prefix of a network of its own cannot be known: the network is to be denied by it.
    package var reachableAddresses: [IPAddress] {
        var all = [self]
        if case .v6(let high, let low) = self {
            let bits = UInt128(high) << 64 | UInt128(low)
            switch high {
            case 0 where low > 1: all.append(.v4(UInt32(truncatingIfNeeded: low)))
            case 0x64_ff9b << 32: all.append(Self.translated(bits, prefixLength: 96))
            case _ where high >> 16 == 0x64_ff9b_0001:
                // Read by another length than it was written by, an address begins with zeros.
                all += [48, 56, 64, 96].map { Self.translated(bits, prefixLength: $0) }.filter { !$0.isOfThisNetwork }
            case _ where high >> 32 == 0x2001_0000: all.append(.v4(~UInt32(truncatingIfNeeded: low)))
            case _ where high >> 48 == 0x2002: all.append(.v4(UInt32(truncatingIfNeeded: high >> 16)))
            default: break
            }
        }
        if all.contains(where: { $0.isUnspecified }) { all += [.v4(0x7f00_0001), .v6(high: 0, low: 1)] }
        return all
    }

    /// 0.0.0.0/8 (RFC 1122, section 3.2.1.3).
    private var isOfThisNetwork: Bool {
        guard case .v4(let bits) = self else { return false }
        return bits >> 24 == 0
    }

    /// RFC 6052, section 2.2: the IPv4 address follows the prefix, but for bits 64 to 71, which are none of its.
    private static func translated(_ bits: UInt128, prefixLength: Int) -> IPAddress {
        guard prefixLength < 96 else { return .v4(UInt32(truncatingIfNeeded: bits)) }
        let before = 64 - prefixLength
        let upper = UInt32(truncatingIfNeeded: (bits >> 64) & ((1 << UInt128(before)) - 1))
        let lower = UInt32(truncatingIfNeeded: bits >> UInt128(24 + before)) & (UInt32.max >> UInt32(before))
        return .v4(upper << UInt32(32 - before) | lower)
    }
}

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
            guard let digit = text[index].hexadecimalValue else { return nil }
            value = value << 4 | UInt16(digit)
        }
        return value
    }
}
