import Credentials
import ForwardProxy
import Logging
import NIOCore
import NIOPosix
import ParaphConfiguration
import Routing
import Settings

/// The way in which a configuration is served to one command: on a port of its own, for its own user alone.
enum PrivateProxy {
    /// The ports that tunnels may go to: this user's programs may connect to any port without the proxy too. But a
    /// request that is tunnelled to port 80 of an API's host would leave unsigned, and in clear text.
    private static let connectPorts = Set(1...65_535).subtracting([80])

    /// `access.clients` and `access.connect_ports` do not apply: who starts the command holds the configuration, and
    /// reaches what it likes.
    /// - Parameter account: The account of requests that name none; nil: `default`.
    static func settings(_ configuration: Configuration, account: String?) -> ProxySettings {
        var settings = configuration.proxy
        settings.address = .anyLoopback
        settings.identity = nil
        settings.admitsOwnUserOnly = true
        // Their addresses are the running proxy's.
        for index in settings.apis.indices { settings.apis[index].gateway = nil }
        let access = configuration.access
        settings.router = Router(
            apis: configuration.proxy.router.apis,
            access: AccessPolicy(
                otherHosts: access.otherHosts,
                networks: access.networks,
                connectPorts: connectPorts,
                plainPorts: Set(1...65_535)
            ),
            assumedAccount: account
        )
        // The command has ended by then: nobody waits for an answer.
        settings.timeouts.drain = .zero
        return settings
    }

    /// Serves a configuration for as long as the body takes.
    ///
    /// - Parameters:
    ///   - account: The same as for ``settings(_:account:)``.
    ///   - accessLog: Takes the lines of the access log.
    ///   - body: Called with the port that the proxy listens at, on loopback.
    /// - Throws: `ExecError`: no API has the account. Else as the proxy or the body does.
    static func serve(
        _ configuration: Configuration,
        account: String?,
        _ state: ProxyState,
        accessLog: LogSink,
        _ body: (_ port: Int) async throws -> Void
    ) async throws {
        if let account { try await check(account: account, configuration, state.vault.store) }
        let proxy = try await ProxyServer(
            ProxyConfiguration(
                settings(configuration, account: account),
                state,
                accessLog: AccessLogOutput(sink: accessLog)
            ),
            group: MultiThreadedEventLoopGroup.singleton,
            logger: Logger(label: "paraph") { _ in SwiftLogNoOpLogHandler() }
        )
        let port = try await proxy.bind().port ?? 0
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await proxy.run() }
            try await body(port)
            tasks.cancelAll()
            try? await tasks.waitForAll()
        }
    }

    /// An account need not be one of every API: requests to those that do not have it are refused.
    static func check(
        account: String,
        _ configuration: Configuration,
        _ vault: any CredentialStore
    ) async throws(ExecError) {
        let known = configuration.proxy.apis.flatMap { $0.accounts.map(\.name) }
        if known.contains(where: { sameBytes($0, account) }) { return }
        let enrolling = configuration.proxy.apis.filter(\.route.acceptsEnrolled).map(\.name)
        let enrolled = (try? await vault.listing().names) ?? []
        if enrolled.contains(where: { enrolling.contains($0.api) && sameBytes($0.account, account) }) { return }
        var names: [String] = []
        for name in known where !names.contains(name) { names.append(name) }
        throw .unknownAccount(account, known: names)
    }
}
