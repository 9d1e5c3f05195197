import Glibc
import NIOCore

/// A loopback port that is taken, so that nobody else gets it, and where nothing listens: connections are refused.
enum UnusedPort {
    static func with(_ body: (Int) async throws -> Void) async throws {
        let descriptor = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        // The pointer is used within the calls only.
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw IOError(errnoCode: errno, reason: "bind") }
        try await body(Int(UInt16(bigEndian: address.sin_port)))
    }
}
