import NIOCore
import NIOPosix

/// A loopback port where nothing listens: one that the kernel gave out a moment ago.
enum UnusedPort {
    static func find() async throws -> Int {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0)
            .get()
        let port = listener.localAddress?.port ?? 0
        try await listener.close()
        return port
    }
}
