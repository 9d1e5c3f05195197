import NIOCore
import Routing

extension NetworkPolicy {
    /// Whether this address may be connected to. Only IP addresses may.
    func allows(_ address: SocketAddress) -> Bool {
        IPAddress(address).map(permits) ?? false
    }
}

extension IPAddress {
    /// Nil for what is no IP address.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        // A zone is none of the address's.
        self.init(String(text.prefix { $0 != "%" }))
    }
}
