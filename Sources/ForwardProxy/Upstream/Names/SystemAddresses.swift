import Glibc
package import NIOCore

/// The system's resolver of names. Blocks its thread.
package enum SystemAddresses {
    /// getaddrinfo's answer in its own order (RFC 6724); empty when the name does not resolve.
    package static func of(_ host: String, port: Int) -> [SocketAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        hints.ai_protocol = Int32(IPPROTO_TCP)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, String(port), &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [SocketAddress] = []
        var entry = list
        // Each entry is valid until freeaddrinfo, and its address is of the type that its family says.
        while let current = entry {
            let info = current.pointee
            if let address = info.ai_addr {
                switch info.ai_family {
                case AF_INET:
                    address.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
                        addresses.append(SocketAddress($0.pointee, host: host))
                    }
                case AF_INET6:
                    address.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) {
                        addresses.append(SocketAddress($0.pointee, host: host))
                    }
                default: break
                }
            }
            entry = info.ai_next
        }
        return addresses
    }
}
