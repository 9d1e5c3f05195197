package import NIOCore

extension SocketAddress {
    /// `HOST:PORT` as it stands in a URL: brackets around an IPv6 address.
    package var urlText: String {
        guard let ip = ipAddress, let port else { return "\(self)" }
        return ip.contains(":") ? "[\(ip)]:\(port)" : "\(ip):\(port)"
    }
}
