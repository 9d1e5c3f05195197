package import Bytes

/// A CIDR prefix, `169.254.0.0/16` or `fe80::/10`.
package struct IPNetwork: Hashable, Sendable {
    /// Its bits beyond `prefixLength` are zero.
    package let address: IPAddress
    package let prefixLength: Int

    /// `ADDRESS/LENGTH`, or an address alone, which stands for itself. A network of IPv4-mapped IPv6 addresses
    /// becomes the IPv4 network it maps.
    package init(_ text: String) throws(IPNetworkError) {
        let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        guard let first = parts.first, let address = IPAddress(String(first)) else { throw .notAnAddress }
        let width = if case .v4 = address { 32 } else { 128 }
        var length = width
        if parts.count == 2 {
            guard parts[1].utf8.allSatisfy(\.isDigit), let number = Int(parts[1]), number <= width
            else { throw .badPrefixLength(maximum: width) }
            length = number
        }
        let masked = address.masked(to: length)
        guard masked == address else { throw .bitsBeyondPrefix(meant: "\(masked)/\(length)") }
        if case .v4 = address.unmapped, width == 128, length >= 96 {
            self.address = address.unmapped
            prefixLength = length - 96
        } else {
            self.address = address
            prefixLength = length
        }
    }

    /// An IPv4-mapped IPv6 address counts as the IPv4 address it maps.
    package func contains(_ candidate: IPAddress) -> Bool {
        candidate.unmapped.masked(to: prefixLength) == address
    }
}

extension IPNetwork: CustomStringConvertible {
    package var description: String { "\(address)/\(prefixLength)" }
}

extension IPAddress {
    /// The address with the bits beyond `length` cleared.
    fileprivate func masked(to length: Int) -> IPAddress {
        switch self {
        case .v4(let bits):
            .v4(bits & ~(UInt32.max >> UInt32(length)))
        case .v6(let high, let low):
            .v6(high: high & ~(UInt64.max >> UInt64(length)), low: low & ~(UInt64.max >> UInt64(max(length - 64, 0))))
        }
    }
}

extension IPNetwork {
    /// 169.254.0.0/16 (RFC 3927).
    package static let linkLocalIPv4 = IPNetwork(masked: .v4(0xa9fe_0000), prefixLength: 16)
    /// fe80::/10 (RFC 4291).
    package static let linkLocalIPv6 = IPNetwork(masked: .v6(high: 0xfe80 << 48, low: 0), prefixLength: 10)

    /// fd00:ec2::254, AWS's instance metadata by IPv6.
    package static let metadataAWS = IPNetwork(masked: .v6(high: 0xfd00_0ec2 << 32, low: 0x254), prefixLength: 128)
    /// 100.100.100.200, Alibaba's.
    package static let metadataAlibaba = IPNetwork(masked: .v4(0x6464_64c8), prefixLength: 32)
    /// 168.63.129.16, Azure's wire server.
    package static let metadataAzure = IPNetwork(masked: .v4(0xa83f_8110), prefixLength: 32)

    /// fd20:ce::254, Google's by IPv6.
    package static let metadataGoogle = IPNetwork(masked: .v6(high: 0xfd20_00ce << 32, low: 0x254), prefixLength: 128)
    /// fd00:c1::a9fe:a9fe, Oracle's by IPv6.
    package static let metadataOracle = IPNetwork(
        masked: .v6(high: 0xfd00_00c1 << 32, low: 0xa9fe_a9fe),
        prefixLength: 128
    )
    /// 192.0.0.192, that of Oracle's older machines.
    package static let metadataOracleClassic = IPNetwork(masked: .v4(0xc000_00c0), prefixLength: 32)

    /// Loopback, private, shared, link-local, site-local and unspecified addresses (RFC 6890, RFC 4193, RFC 3879); and
    /// those of Teredo, a tunnel of this machine's own whose other end need not be where an address says (RFC 4380).
    static let privateNetworks = [
        IPNetwork(masked: .v4(0), prefixLength: 8), IPNetwork(masked: .v4(0x0a00_0000), prefixLength: 8),
        IPNetwork(masked: .v4(0x6440_0000), prefixLength: 10), IPNetwork(masked: .v4(0x7f00_0000), prefixLength: 8),
        linkLocalIPv4, IPNetwork(masked: .v4(0xac10_0000), prefixLength: 12),
        IPNetwork(masked: .v4(0xc000_0000), prefixLength: 24), IPNetwork(masked: .v4(0xc0a8_0000), prefixLength: 16),
        IPNetwork(masked: .v6(high: 0, low: 0), prefixLength: 127), linkLocalIPv6,
        IPNetwork(masked: .v6(high: 0xfec0 << 48, low: 0), prefixLength: 10),
        IPNetwork(masked: .v6(high: 0xfc00 << 48, low: 0), prefixLength: 7),
        IPNetwork(masked: .v6(high: 0x2001 << 48, low: 0), prefixLength: 32),
    ]

    private init(masked address: IPAddress, prefixLength: Int) {
        self.address = address
        self.prefixLength = prefixLength
    }
}

/// The reason why a text is no CIDR prefix.
package enum IPNetworkError: Error, Hashable, Sendable, CustomStringConvertible {
    case notAnAddress
    case badPrefixLength(maximum: Int)
    case bitsBeyondPrefix(meant: String)

    package var description: String {
        switch self {
        case .notAnAddress:
            "is not a network; write it like 10.0.0.0/8 or fe80::/10"
        case .badPrefixLength(let maximum):
            "needs a number from 0 to \(maximum) after the slash"
        case .bitsBeyondPrefix(let meant):
            "has bits set beyond its prefix; write \(meant)"
        }
    }
}
