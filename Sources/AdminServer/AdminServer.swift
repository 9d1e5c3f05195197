import Hummingbird
package import Logging
import NIOCore
import ServiceLifecycle

/// The admin listener: `GET /healthz`, `GET /readyz` and `GET /ca.pem`.
package struct AdminServer: Service {
    private let host: String
    private let port: Int
    private let authorityPEM: String
    private let readiness: Readiness
    private let logger: Logger

    /// - Parameters:
    ///   - host: a host name or an IP address, without brackets.
    ///   - port: 0 for any free port; the log says which.
    ///   - authorityPEM: the local CA's certificate, which clients have to trust.
    package init(host: String, port: Int, authorityPEM: String, readiness: Readiness, logger: Logger) {
        self.host = host
        self.port = port
        self.authorityPEM = authorityPEM
        self.readiness = readiness
        self.logger = logger
    }

    /// Listens and serves until a graceful shutdown.
    package func run() async throws {
        // The library's own lines at info say nothing that the line "listening" does not.
        var libraryLogger = logger
        libraryLogger.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            router: router,
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "paraph",
                reuseAddress: true
            ),
            onServerRunning: { [logger] channel in
                let address = channel.localAddress.map { address in
                    let ip = address.ipAddress ?? "\(address)"
                    return "\(ip.contains(":") ? "[\(ip)]" : ip):\(address.port ?? 0)"
                }
                logger.info("listening", metadata: ["listener": "admin", "address": "\(address ?? "unknown")"])
            },
            logger: libraryLogger
        )
        try await application.run()
    }

    private var router: Router<BasicRequestContext> {
        let router = Router(options: .autoGenerateHeadEndpoints)
        router.get("healthz") { _, _ in Response(text: "ok\n") }
        router.get("readyz") { [readiness] _, _ in
            let missing = readiness.missing
            guard !missing.isEmpty else { return Response(text: "ready\n") }
            let names = missing.map(\.rawValue).joined(separator: ", ")
            return Response(status: .serviceUnavailable, text: "not ready: \(names)\n")
        }
        router.get("ca.pem") { [authorityPEM] _, _ in
            Response(type: "application/x-pem-file", text: authorityPEM)
        }
        return router
    }
}

extension Response {
    fileprivate init(status: HTTPResponse.Status = .ok, type: String = "text/plain; charset=utf-8", text: String) {
        self.init(
            status: status,
            headers: [.contentType: type, .cacheControl: "no-store"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text))
        )
    }
}
