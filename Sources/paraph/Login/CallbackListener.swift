import ForwardProxy
import Hummingbird
import Logging
import NIOCore
import ServiceLifecycle

/// Listens on loopback for the provider to send the browser back. Answers its own path and the authorization that is
/// waited for; whoever else comes is sent away, and the waiting goes on.
struct CallbackListener: Sendable {
    private static let idleTimeout = TimeAmount.seconds(10)
    private static let longestShutdown = Duration.seconds(1)

    let address: LoopbackAddress
    let desk: CallbackDesk

    /// Listens while the body runs.
    /// - Parameter body: Is given the callback, as the provider is to be told it.
    /// - Throws: `LoginError/cannotListen`, and what the body throws.
    func listen<Value: Sendable>(_ body: (_ callback: String) async throws -> Value) async throws -> Value {
        let (ports, running) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "paraph.callback")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder(path: address.path, desk: desk),
            server: .http1(configuration: .init(idleTimeout: Self.idleTimeout)),
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
            onServerRunning: { channel in
                running.yield(channel.localAddress?.port ?? address.port)
                running.finish()
            },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(services: [application], logger: logger)
        configuration.maximumGracefulShutdownDuration = Self.longestShutdown
        let group = ServiceGroup(configuration: configuration)
        async let service: Void = {
            defer { running.finish() }
            try await group.run()
        }()
        guard let port = await ports.first(where: { _ in true }) else {
            try Task.checkCancellation()
            do {
                try await service
            } catch {
                let reason = SocketErrorText.describe(error)
                throw LoginError.cannotListen(address: "\(address.host):\(address.port)", reason: reason)
            }
            throw CancellationError()
        }
        let result: Result<Value, any Error>
        do {
            result = .success(try await body(address.callback(port: port)))
        } catch {
            result = .failure(error)
        }
        // The page that is on its way to the browser is still sent.
        await group.triggerGracefulShutdown()
        try? await service
        return try result.get()
    }
}
