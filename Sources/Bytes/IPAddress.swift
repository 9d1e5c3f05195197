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

    /// As `init(_:)`, from bytes.
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
