import Glibc
package import NIOCore
import NIOPosix

/// The look-ups of names, with threads apart for those that the configuration names and those that clients name:
/// however many of the latter nobody answers, the former go on.
struct NameResolvers: Sendable {
    /// The look-ups for hosts of APIs that are named one by one, token endpoints, and upstream proxies.
    let configured: NameLookups
    /// The look-ups for hosts under an API's wildcard, and those of no API.
    let others: NameLookups

    /// - Parameter lineLimit: The number of the latter that may wait for a thread.
    init(clock: any ProxyClock, lineLimit: Int, resolve: @escaping NameLookups.Resolve) {
        configured = NameLookups(clock: clock, count: 8, resolve: resolve)
        others = NameLookups(clock: clock, count: 16, lineLimit: lineLimit, resolve: resolve)
    }

    /// Makes the resolvers for a command, which looks up what the configuration names.
    init(ofCommand clock: any ProxyClock, resolve: @escaping NameLookups.Resolve = SystemAddresses.of(_:port:)) {
        configured = NameLookups(clock: clock, threads: .singleton, count: 8, resolve: resolve)
        others = configured
    }

    func start() {
        configured.start()
        others.start()
    }

    func shutdown() {
        configured.shutdown()
        others.shutdown()
    }
}

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
