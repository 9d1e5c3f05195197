import Bytes
import NIOCore
import Routing

/// The address that a connection is counted for: an IPv4 address, or the /64 of an IPv6 address, of which one machine
/// has every address.
enum PeerAddress: Hashable, Sendable {
    case v4(UInt32)
    case v6(network: UInt64)
    /// A peer at a Unix domain socket: all of them are one.
    case local
    /// A peer that is not known.
    case other

    init(_ address: SocketAddress?) {
        switch address.flatMap({ IPAddress($0) })?.unmapped {
        case .v4(let bits): self = .v4(bits)
        case .v6(let high, _): self = .v6(network: high)
        case nil: if case .unixDomainSocket = address { self = .local } else { self = .other }
        }
    }
}

extension PeerAddress: CustomStringConvertible {
    /// The address, or the network that is counted as one.
    var description: String {
        switch self {
        case .v4(let bits): "\(IPAddress.v4(bits))"
        case .v6(let network): "\(IPAddress.v6(high: network, low: 0))/64"
        case .local: "the Unix domain socket"
        case .other: "an unknown address"
        }
    }
}
