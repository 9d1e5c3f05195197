import Credentials
import Foundation
import LocalAuthority
import Logging
import NIOCore
import NIOPosix
import OAuthSigning
import Routing
import ServiceLifecycle
import Settings
import TestSupport

@testable import ForwardProxy

/// A proxy that serves on a loopback port for the length of a test.
struct RunningProxy: Sendable {
    let port: Int
    let accessLog: LogPipe
    let log: LogLines
    /// All times of the proxy are taken from it.
    let clock: ManualClock
    let vault: Vault
    /// The same, as the proxy has it.
    let store: InterruptibleStore
    let server: ProxyServer
    private let group: ServiceGroup
    private let running: Task<Void, any Error>

    /// Each has a watch on its vault, and a user may have 128 of these.
    private static let places = Places(count: 24)

    /// One loop, so that a test knows which pool a connection is in.
    private static let oneLoop = MultiThreadedEventLoopGroup(numberOfThreads: 1)

    static let authority = Result {
        let directory = try TestDirectory()
        return try LocalAuthority.loadOrCreate(
            certificatePath: directory.path + "/ca.pem",
            keyPath: directory.path + "/ca.key",
            reach: AuthorityReach(
                hosts: ["api.test", "other.test", "localhost", "127.0.0.1", "[::1]"].map { try HostPattern($0) }
            ),
            now: Date()
        )
    }

    /// Starts a proxy, runs `body`, and stops it; what the proxy's `run()` throws is thrown.
    static func with<Outcome: Sendable>(
        _ setup: ProxySetup,
        vaultDirectory: TestDirectory? = nil,
        vaultKey: VaultKey = .generate(),
        _ body: (RunningProxy) async throws -> Outcome
    ) async throws -> Outcome {
        await places.take()
        defer { places.free() }
        let accessLog = try await LogPipe.open()
        let log = LogLines()
        let clock = ManualClock()
        let directory = try vaultDirectory ?? TestDirectory()
        defer { withExtendedLifetime(directory) {} }
        let vault = try Vault(directory: directory.path, key: vaultKey)
        let store = InterruptibleStore(vault)
        let server = try await ProxyServer(
            ProxyConfiguration(
                settings: setup.settings(),
                authority: authority.get(),
                vault: store,
                accessLog: AccessLogOutput(sink: accessLog.sink)
            ),
            group: setup.isTwoLooped ? MultiThreadedEventLoopGroup.singleton : oneLoop,
            clock: clock,
            logger: log.logger,
            resolve: setup.resolve
        )
        let address = try await server.bind()
        let group = ServiceGroup(
            services: [server],
            gracefulShutdownSignals: [],
            logger: Logger(label: "quiet") { _ in SwiftLogNoOpLogHandler() }
        )
        let proxy = RunningProxy(
            port: address.port ?? 0,
            accessLog: accessLog,
            log: log,
            clock: clock,
            vault: vault,
            store: store,
            server: server,
            group: group,
            running: Task { try await group.run() }
        )
        let outcome: Result<Outcome, any Error>
        do {
            outcome = .success(try await body(proxy))
        } catch {
            outcome = .failure(error)
        }
        // What the test has left behind is not waited for.
        server.cutDrainShort()
        await group.triggerGracefulShutdown()
        try await proxy.end()
        await clock.end()
        return try outcome.get()
    }

    /// Waits until the proxy has ended, and throws what its `run()` throws.
    func end() async throws {
        try await running.value
    }

    var enroller: Enroller { server.generation.enroller }
    /// The binding that credentials of the first API's enrolled accounts, or its first account, must have.
    var bindingOfEnrolled: CredentialBinding {
        let settings = server.generation.settings
        return settings.apis[0].binding(enrolledBy: settings.enrolment?.target(of: 0))
    }
    var bindingOfConfigured: CredentialBinding? {
        let api = server.generation.settings.apis[0]
        return api.binding(of: api.accounts[0])
    }
    var held: HeldCredentials { server.generation.keeper.held }

    /// Waits until a token is the one that is held of an account, as it is once the watch has told of its storing.
    func holds(_ token: Secret, of account: AccountReference) async throws {
        try await wait { held.credential(of: account)?.token.authorizes(as: .access(AccessToken(token))) == true }
    }

    /// Serves by another setup from now on, on the same address.
    func reload(_ setup: ProxySetup, vault: InterruptibleStore? = nil) async throws {
        try await reload(setup.settings(), vault: vault)
    }

    func reload(_ settings: ProxySettings, vault: InterruptibleStore? = nil) async throws {
        try await server.reload(
            ProxyConfiguration(
                settings: settings,
                authority: Self.authority.get(),
                vault: vault ?? store,
                accessLog: AccessLogOutput(sink: accessLog.sink)
            ),
            listeners: server.moveListeners(to: settings)
        )
    }

    /// Begins to stop it, as a signal would.
    func drain() async {
        await group.triggerGracefulShutdown()
    }

    func connect() async throws -> Wire {
        try await Wire.connect(port: port)
    }

    /// A connection on which the proxy poses as `host`.
    func intercept(
        _ authority: String = "api.test:443",
        from address: String? = nil,
        fields: String = "",
        protocols: [String] = ["http/1.1"]
    ) async throws -> Wire {
        let wire = try await Wire.connect(from: address, port: port)
        try await wire.send("CONNECT \(authority) HTTP/1.1\nHost: \(authority)\n\(fields)\n")
        let answer = try await wire.head()
        guard answer.status == 200 else { throw Wire.Ended(received: answer.startLine) }
        let host = String(authority.prefix { $0 != ":" })
        try await wire.startTLS(host: host, trusting: Self.authority.get().certificatePEM, protocols: protocols)
        return wire
    }

    /// One request on a connection of its own, and its whole answer.
    func answer(to request: String, hasBody: Bool = true) async throws -> Message {
        let wire = try await connect()
        try await wire.send(request)
        let message = try await wire.message(hasBody: hasBody)
        await wire.close()
        return message
    }
}
