import Bytes

/// An address to listen on: a host and a port, or the path of a Unix domain socket.
package struct ListenAddress: Hashable, Sendable {
    /// An IPv4 address, an IPv6 address without brackets, or a name.
    package var host: String
    /// 0: any free port.
    package var port: Int
    /// The path of the Unix domain socket that it is instead of a host and a port; nil: it is none.
    package let path: String?

    package init(host: String, port: Int) {
        self.host = host
        self.port = port
        path = nil
    }

    /// The bytes of a path that the kernel takes (unix(7)), without the one that ends it.
    package static let mostPathBytes = 107

    package init(path: String) {
        host = ""
        port = 0
        self.path = path
    }

    /// Any free port of 127.0.0.1.
    package static let anyLoopback = ListenAddress(host: "127.0.0.1", port: 0)

    /// Indicates whether only this machine can reach it. Of names, only `localhost` is known to.
    package var isLoopback: Bool {
        path != nil || (IPAddress(host)?.isLoopback ?? (host == "localhost"))
    }

    /// Returns whether both cannot be listened on at once, as far as the text tells.
    package func clashes(with other: ListenAddress) -> Bool {
        guard port == other.port, port != 0 else { return false }
        return host == other.host || [host, other.host].contains { IPAddress($0)?.isUnspecified == true }
    }
}

extension ListenAddress: CustomStringConvertible {
    package var description: String {
        if let path { return "unix:\(path)" }
        return "\(bracketed(host: host)):\(port)"
    }
}
