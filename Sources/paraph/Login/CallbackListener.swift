import Credentials
import ForwardProxy
import HTTPTypes
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
    let receiver: CallbackReceiver

    /// Listens while the body runs.
    /// - Parameter body: The function that is given the callback, as the provider is to be told it.
    /// - Throws: `LoginError/cannotListen`, and what the body throws.
    func listen<Value: Sendable>(_ body: (_ callback: String) async throws -> Value) async throws -> Value {
        let (ports, running) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: "paraph.callback")
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder(path: address.path, receiver: receiver),
            server: .http1(configuration: .init(idleTimeout: Self.idleTimeout)),
            configuration: ApplicationConfiguration(address: .hostname(address.host, port: address.port)),
            onServerRunning: { channel in
                running.yield(channel.localAddress?.port ?? address.port)
                running.finish()
            },
            logger: logger
        )
        var configuration = ServiceGroupConfiguration(
            services: [.init(service: application, serviceName: "callback")],
            logger: logger
        )
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

/// Answers the requests of a browser, and of whoever else comes.
struct CallbackResponder: HTTPResponder {
    typealias Context = BasicRequestContext

    let path: String
    let receiver: CallbackReceiver

    func respond(to request: Request, context: BasicRequestContext) async throws -> Response {
        let page = page(for: request)
        var fields: HTTPFields = [
            .contentType: "text/html; charset=utf-8",
            .cacheControl: "no-store",
            .contentSecurityPolicy: "default-src 'none'; frame-ancestors 'none'",
            .xContentTypeOptions: "nosniff",
        ]
        // What the address says is for nobody else.
        if let policy = HTTPField.Name("Referrer-Policy") { fields[policy] = "no-referrer" }
        if case .methodNotAllowed = page { fields[.allow] = "GET" }
        return Response(
            status: .init(code: page.status),
            headers: fields,
            body: .init(byteBuffer: ByteBuffer(string: page.html))
        )
    }

    private func page(for request: Request) -> CallbackPage {
        guard request.uri.path == path else { return .notFound }
        guard request.method == .get else { return .methodNotAllowed }
        switch receiver.receive(CallbackReply(query: request.uri.query ?? ""), needsToken: true) {
        case .accepted(let isDenied): return isDenied ? .denied : .received
        case .stranger: return .stranger
        }
    }
}

/// The page that the browser shows when the provider has sent it back.
private enum CallbackPage: Sendable {
    case received
    case denied
    /// The request is none of the authorization that runs.
    case stranger
    case notFound
    case methodNotAllowed

    var status: Int {
        switch self {
        case .received, .denied: 200
        case .stranger: 400
        case .notFound: 404
        case .methodNotAllowed: 405
        }
    }

    /// The page, in which nothing stands that a request said.
    var html: String {
        """
        <!DOCTYPE html>
        <html lang="en">
        <meta charset="utf-8">
        <title>\(title)</title>
        <h1>\(title)</h1>
        <p>\(sentence)</p>
        </html>

        """
    }

    private var title: String {
        switch self {
        case .received: "Authorized"
        case .denied: "Not authorized"
        case .stranger: "Not expected"
        case .notFound: "Not found"
        case .methodNotAllowed: "Method not allowed"
        }
    }

    private var sentence: String {
        switch self {
        case .received: "paraph has what it needs. The terminal tells how it went on; you can close this page."
        case .denied: "The provider was told no, and paraph has ended. You can close this page."
        case .stranger:
            "This does not belong to the authorization that paraph waits for. Open the address that it printed last."
        case .notFound, .methodNotAllowed: "paraph waits here for the provider to send you back, and for nothing else."
        }
    }
}
