extension IPAddress {
    /// Itself, and every address that a connection to it may end at instead: the IPv4 address that a translator or a
    /// tunnel finds in an IPv6 address, and loopback for the unspecified address, which systems connect to as such.
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
