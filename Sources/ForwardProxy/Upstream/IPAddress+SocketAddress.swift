import Glibc
import NIOCore
import Routing

extension IPAddress {
    /// Nil for what is no IP address. A zone is none of the address's.
    init?(_ address: SocketAddress) {
        switch address {
        case .v4(let address):
            let octets = withUnsafeBytes(of: address.address) { $0.loadUnaligned(as: sockaddr_in.self).sin_addr }
            self = .v4(UInt32(bigEndian: octets.s_addr))
        case .v6(let address):
            let octets = withUnsafeBytes(of: address.address) { $0.loadUnaligned(as: sockaddr_in6.self).sin6_addr }
            self = withUnsafeBytes(of: octets) { octets in
                .v6(
                    high: UInt64(bigEndian: octets.loadUnaligned(as: UInt64.self)),
                    low: UInt64(bigEndian: octets.loadUnaligned(fromByteOffset: 8, as: UInt64.self))
                )
            }
        case .unixDomainSocket: return nil
        }
    }
}
