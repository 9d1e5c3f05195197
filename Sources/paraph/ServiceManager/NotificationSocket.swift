import Files
import Glibc
import SystemPackage

/// The socket at which the service manager takes messages (`NOTIFY_SOCKET`). The one place for the address that the
/// kernel reads, which lives until it has.
struct NotificationSocket: Sendable {
    /// The path; with a byte 0 at its start, the name in the abstract namespace (unix(7)).
    let path: [UInt8]

    /// - Parameter text: A path from the root, or `@` and an abstract name.
    /// - Returns: Nil when it is neither, or too long for an address.
    init?(_ text: String) {
        let bytes = Array(text.utf8)
        switch bytes.first {
        case UInt8(ascii: "/"): path = bytes
        case UInt8(ascii: "@"): path = [0] + bytes.dropFirst()
        default: return nil
        }
        guard path.count > 1, path.count < MemoryLayout.size(ofValue: sockaddr_un().sun_path) else { return nil }
    }

    func send(_ bytes: [UInt8]) throws(Errno) {
        let socket = Glibc.socket(AF_UNIX, Int32(SOCK_DGRAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard socket >= 0 else { throw .last }
        defer { close(socket) }
        // A manager that takes no messages holds the process up no longer than this.
        var timeout = timeval(tv_sec: 1, tv_usec: 0)
        setsockopt(socket, SOL_SOCKET, SO_SNDTIMEO, &timeout, socklen_t(MemoryLayout<timeval>.size))
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: path) }
        let length = MemoryLayout<sockaddr_un>.size - MemoryLayout.size(ofValue: address.sun_path) + path.count
        let sent = withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                sendto(socket, bytes, bytes.count, Int32(MSG_NOSIGNAL), $0, socklen_t(length))
            }
        }
        guard sent == bytes.count else { throw .last }
    }
}
