import AdminServer
import Credentials
import Inspection
import Logging
import NIOCore
import OAuthSigning
import ServiceLifecycle
import Settings

/// A listener on a free port of loopback, for as long as the body runs.
enum AdminScene {
    static func withListener<Result: Sendable>(
        token: String? = nil,
        isLoopback: Bool = true,
        accounts: MemoryAccounts? = MemoryAccounts(),
        status: MemoryStatus = MemoryStatus(),
        control: MemoryControl = MemoryControl(),
        checks: @escaping @Sendable (@escaping @Sendable (DoctorFinding) -> Void) async -> Void = { _ in },
        readiness: Readiness = Readiness(),
        log: MemoryLog = MemoryLog(),
        tokenGuard: (any TokenGuard)? = nil,
        journal: RequestJournal = RequestJournal(),
        isOwnUser: (@Sendable (SocketAddress, SocketAddress) -> Bool)? = nil,
        body: @Sendable (AdminClient) async throws -> Result
    ) async throws -> Result {
        try await withServer(
            token: token,
            isLoopback: isLoopback,
            accounts: accounts,
            status: status,
            control: control,
            checks: checks,
            readiness: readiness,
            log: log,
            tokenGuard: tokenGuard,
            journal: journal,
            isOwnUser: isOwnUser
        ) { _, client in
            try await body(client)
        }
    }

    static func settings(token: String?, isLoopback: Bool = true) -> AdminSettings {
        settings(listener(token: token, isLoopback: isLoopback))
    }

    static func settings(_ listener: AdminListenerSettings?) -> AdminSettings {
        AdminSettings(listener: listener, authorityPEM: "-----BEGIN CERTIFICATE-----\n")
    }

    static func listener(
        host: String = "127.0.0.1",
        port: Int = 0,
        token: String?,
        isLoopback: Bool = true
    ) -> AdminListenerSettings {
        AdminListenerSettings(
            address: ListenAddress(host: host, port: port),
            token: token.map { Secret($0) },
            isLoopback: isLoopback
        )
    }

    /// The same, with what may be told to read its settings again.
    static func withServer<Result: Sendable>(
        token: String? = nil,
        isLoopback: Bool = true,
        accounts: MemoryAccounts? = MemoryAccounts(),
        status: MemoryStatus = MemoryStatus(),
        control: MemoryControl = MemoryControl(),
        checks: @escaping @Sendable (@escaping @Sendable (DoctorFinding) -> Void) async -> Void = { _ in },
        readiness: Readiness = Readiness(),
        log: MemoryLog = MemoryLog(),
        connectionLimit: Int = 2_048,
        tokenGuard: (any TokenGuard)? = nil,
        journal: RequestJournal = RequestJournal(),
        isOwnUser: (@Sendable (SocketAddress, SocketAddress) -> Bool)? = nil,
        body: @Sendable (AdminServer, AdminClient) async throws -> Result
    ) async throws -> Result {
        let (ports, running) = AsyncStream<Int>.makeStream()
        let server = AdminServer(
            settings: settings(token: token, isLoopback: isLoopback),
            backend: AdminBackend(
                readiness: readiness,
                enrolment: accounts,
                status: status,
                control: control,
                checks: checks,
                tokenGuard: tokenGuard,
                journal: journal,
                isOwnUser: isOwnUser
            ),
            connectionLimit: connectionLimit,
            logger: log.logger,
            onListening: { running.yield($0.localAddress?.port ?? 0) }
        )
        let group = ServiceGroup(services: [server], logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() })
        async let ended: Void = group.run()
        var iterator = ports.makeAsyncIterator()
        let client = AdminClient(port: await iterator.next() ?? 0)
        do {
            let result = try await body(server, client)
            await group.triggerGracefulShutdown()
            try await ended
            return result
        } catch {
            await group.triggerGracefulShutdown()
            try await ended
            throw error
        }
    }
}
