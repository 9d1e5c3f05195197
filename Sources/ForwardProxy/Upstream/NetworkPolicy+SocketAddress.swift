import NIOCore
import Routing

extension NetworkPolicy {
    /// Whether this address may be connected to. Only IP addresses may.
    func allows(_ address: SocketAddress) -> Bool {
        guard let text = address.ipAddress, let parsed = IPAddress(String(text.prefix { $0 != "%" })) else {
            return false
        }
        return permits(parsed)
    }
}
