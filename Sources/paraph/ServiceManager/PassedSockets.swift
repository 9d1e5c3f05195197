import Glibc
import NIOCore
import Settings

/// The sockets that a service manager passes to the process that it starts (sd_listen_fds(3)). The one place for the
/// structures in which the kernel tells of a socket, which live until they have been read.
enum PassedSockets {
    /// A socket, or the list of them, that is not as it has to be.
    struct Unusable: Error, CustomStringConvertible {
        let description: String
    }

    /// The standard streams come before.
    private static let first: CInt = 3
    private static let most = 1024

    /// Returns the sockets, which no program that this process starts inherits from now on.
    static func read(_ service: ServiceEnvironment) throws(Unusable) -> [InheritedSocket] {
        guard let passed = service.sockets else { return [] }
        guard let count = Int(passed.count), (0...most).contains(count) else {
            throw Unusable(description: "LISTEN_FDS is \(passed.count), and no number of sockets")
        }
        let names = passed.names.map { $0.split(separator: ":", omittingEmptySubsequences: false).map(String.init) }
        if let names, names.count != count {
            throw Unusable(description: "LISTEN_FDNAMES has \(names.count) names, and LISTEN_FDS says \(count) sockets")
        }
        var sockets: [InheritedSocket] = []
        for index in 0..<count {
            let name = names.map { $0[index] }
            sockets.append(try socket(first + CInt(index), name: name?.isEmpty == true ? nil : name))
        }
        return sockets
    }

    private static func socket(_ descriptor: CInt, name: String?) throws(Unusable) -> InheritedSocket {
        let title = "file descriptor \(descriptor)\(name.map { " named \($0)" } ?? "")"
        guard fcntl(descriptor, F_SETFD, FD_CLOEXEC) == 0 else {
            throw Unusable(description: "\(title), which LISTEN_FDS counts, is not open")
        }
        guard option(SO_TYPE, of: descriptor) == Int32(SOCK_STREAM.rawValue),
            option(SO_ACCEPTCONN, of: descriptor) == 1,
            let address = Self.address(of: descriptor)
        else {
            throw Unusable(
                description: "\(title) is not a stream socket that listens: pass those of ListenStream= with "
                    + "Accept=no"
            )
        }
        return InheritedSocket(descriptor: descriptor, name: name, address: address)
    }

    private static func option(_ name: Int32, of descriptor: CInt) -> Int32? {
        var value: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, name, &value, &length) == 0 ? value : nil
    }

    /// - Returns: Nil when it is of another family than IP and Unix.
    private static func address(of descriptor: CInt) -> SocketAddress? {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        return withUnsafeMutablePointer(to: &storage) { pointer in
            let status = pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                getsockname(descriptor, $0, &length)
            }
            guard status == 0 else { return nil }
            switch Int32(pointer.pointee.ss_family) {
            case AF_INET:
                return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_INET6:
                return pointer.withMemoryRebound(to: sockaddr_in6.self, capacity: 1) { SocketAddress($0.pointee) }
            case AF_UNIX:
                return pointer.withMemoryRebound(to: sockaddr_un.self, capacity: 1) { SocketAddress($0.pointee) }
            default: return nil
            }
        }
    }
}
