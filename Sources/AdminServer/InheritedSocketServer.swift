import Glibc
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Logging
import NIOCore
import NIOExtras
import NIOPosix
import ServiceLifecycle

/// Serves the connections of a socket that listens already, as Hummingbird's own server does those of an address that
/// it binds: it cannot take a socket.
struct InheritedSocketServer: Service {
    /// The number of connections that the kernel queues: as many as Hummingbird has it queue.
    private static let backlog: Int32 = 256

    /// The socket that listens, this server's own.
    let socket: CInt
    let responder: AdminResponder
    let serverName: String
    let configuration: HTTP1Channel.Configuration
    let connectionLimit: Int
    let onServerRunning: @Sendable (any Channel) -> Void
    let logger: Logger

    func run() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let quiescing = ServerQuiescingHelper(group: group)
        let http = HTTP1Channel(
            responder: { [responder, serverName, logger] (request, writer: consuming ResponseWriter, channel) in
                let context = AdminContext(source: ApplicationRequestContextSource(channel: channel, logger: logger))
                var response = await responder.respond(to: request, context: context)
                response.headers[.date] = Self.date
                response.headers[.server] = serverName
                try await writer.write(response: response.head, body: response.body)
            },
            configuration: configuration
        )
        let listener = try await ServerBootstrap(group: group)
            .serverChannelInitializer { [connectionLimit] channel in
                channel.eventLoop.makeCompletedFuture {
                    let limiter = AvailableConnectionsChannelHandler(maxConnections: connectionLimit)
                    try channel.pipeline.syncOperations.addHandler(limiter)
                    try channel.pipeline.syncOperations.addHandler(quiescing.makeServerChannelHandler(channel: channel))
                }
            }
            .childChannelOption(.allowRemoteHalfClosure, value: true)
            .childChannelInitializer { [logger] channel in
                http.setup(channel: channel, logger: logger).map { connection in
                    // Lasts as long as the connection, which the helper ends.
                    _ = Task { await http.handle(value: connection, logger: logger) }
                }
            }
            .withBoundSocket(socket)
            .get()
        // NIO has the kernel queue no more than 128 connections at a socket that is bound already.
        Glibc.listen(socket, Self.backlog)
        onServerRunning(listener)
        let ended = listener.eventLoop.makePromise(of: Void.self)
        try await withTaskCancellationOrGracefulShutdownHandler {
            try await ended.futureResult.get()
        } onCancelOrGracefulShutdown: {
            quiescing.initiateShutdown(promise: ended)
        }
    }

    /// The present time, as RFC 9110, section 5.6.7 has it.
    private static var date: String {
        var now = time(nil)
        var parts = tm()
        gmtime_r(&now, &parts)
        let size = 64
        var text = [CChar](repeating: 0, count: size)
        let count = strftime(&text, size, "%a, %d %b %Y %H:%M:%S GMT", &parts)
        return String(decoding: text[..<count].map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
}
