import Bytes
package import NIOCore
import Routing

extension SocketAddress {
    /// The address of a literal; nil for a host that is no IP address.
    package init?(literal host: String, port: Int) {
        guard let bytes = IPAddress(host)?.bytes,
            let address = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: bytes), port: port)
        else { return nil }
        self = address
    }

    /// `HOST:PORT` as it stands in a URL: brackets around an IPv6 address. Of a Unix domain socket `unix:PATH`, or `unix`
    /// for the end of a client, which has no path.
    package var urlText: String {
        if case .unixDomainSocket = self {
            return pathname.flatMap { $0.isEmpty ? nil : "unix:\($0)" } ?? "unix"
        }
        guard let ip = ipAddress, let port else { return "\(self)" }
        return "\(bracketed(host: ip)):\(port)"
    }
}

extension IPAddress {
    /// The IP address of a socket's; nil for one of another kind. A zone is none of the address's.
    init?(_ address: SocketAddress) {
        // Where the bytes lie in sockaddr_in and sockaddr_in6 is in ip(7) and ipv6(7).
        switch address {
        case .v4(let address):
            self = withUnsafeBytes(of: address.address) {
                .v4(UInt32(bigEndian: $0.loadUnaligned(fromByteOffset: 4, as: UInt32.self)))
            }
        case .v6(let address):
            self = withUnsafeBytes(of: address.address) {
                .v6(
                    high: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self)),
                    low: UInt64(bigEndian: $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
                )
            }
        case .unixDomainSocket: return nil
        }
    }
}
