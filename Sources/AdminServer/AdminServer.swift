package import Credentials
import Hummingbird
package import Logging
import NIOCore
package import OAuthSigning
import ServiceLifecycle

/// The admin listener: health, the local CA's certificate, and the accounts.
package struct AdminServer: Service {
    /// Others wait to be accepted. More than may wait for a verification, so that a probe still gets through then.
    private static let connectionLimit = 2_048
    /// How long a connection may have no request, and a request's head or body stand still.
    private static let idleTimeout = TimeAmount.seconds(60)

    private let host: String
    private let port: Int
    private let responder: AdminResponder
    private let logger: Logger
    private let onRunning: @Sendable (Int) -> Void

    /// - Parameters:
    ///   - host: a host name or an IP address, without brackets.
    ///   - port: 0 for any free port; the log says which.
    ///   - authorityPEM: the local CA's certificate, which clients have to trust.
    ///   - token: what all but health and certificate are asked for with; nil: see ``AccessRule``.
    ///   - enrolment: the accounts; nil: `/register` and `/accounts` say that enrolment is not configured.
    ///   - onRunning: told the port that is listened on.
    package init(
        host: String,
        port: Int,
        authorityPEM: String,
        readiness: Readiness,
        token: Secret? = nil,
        enrolment: (any EnrolmentService)? = nil,
        logger: Logger,
        onRunning: @escaping @Sendable (Int) -> Void = { _ in }
    ) {
        self.host = host
        self.port = port
        responder = AdminResponder(
            rule: AccessRule(token: token),
            authorityPEM: authorityPEM,
            readiness: readiness,
            accounts: enrolment.map { AccountEndpoints(service: $0, logger: logger) }
        )
        self.logger = logger
        self.onRunning = onRunning
    }

    /// Listens and serves until a graceful shutdown.
    package func run() async throws {
        // The library's own lines at info say nothing that the line "listening" does not.
        var libraryLogger = logger
        libraryLogger.logLevel = max(logger.logLevel, .warning)
        let application = Application(
            responder: responder,
            server: .http1(configuration: .init(idleTimeout: Self.idleTimeout)),
            configuration: ApplicationConfiguration(
                address: .hostname(host, port: port),
                serverName: "paraph",
                reuseAddress: true,
                availableConnectionsDelegate: .maximum(Self.connectionLimit, logger: libraryLogger)
            ),
            onServerRunning: { [logger, onRunning] channel in
                let address = channel.localAddress.map { address in
                    let ip = address.ipAddress ?? "\(address)"
                    return "\(ip.contains(":") ? "[\(ip)]" : ip):\(address.port ?? 0)"
                }
                logger.info("listening", metadata: ["listener": "admin", "address": "\(address ?? "unknown")"])
                if let port = channel.localAddress?.port { onRunning(port) }
            },
            logger: libraryLogger
        )
        try await application.run()
    }
}
