import NIOCore
import Routing

extension IPAddress {
    /// Nil for what is no IP address.
    init?(_ address: SocketAddress) {
        guard let text = address.ipAddress else { return nil }
        // A zone is none of the address's.
        self.init(String(text.prefix { $0 != "%" }))
    }
}
