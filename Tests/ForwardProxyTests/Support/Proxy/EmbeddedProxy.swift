import Bytes
import Credentials
import NIOCore
import NIOEmbedded
import Routing
import Settings
import TestSupport

@testable import ForwardProxy

/// One event loop of a proxy, which a test turns itself: for what is decided and counted without a connection upstream.
final class EmbeddedProxy {
    /// The address of all clients.
    static let peer = PeerAddress.v4(1)

    let clock = EmbeddedClock()
    let log = LogLines()
    let common: ProxyCommon
    let room: ConnectionRoom
    /// Serves by the configuration of the moment.
    private(set) var worker: ProxyWorker
    private let directory: TestDirectory
    private let store: InterruptibleStore
    private var usages: [String?: ClientUsage] = [:]

    init(_ setup: ProxySetup) throws {
        directory = try TestDirectory()
        store = InterruptibleStore(try Vault(directory: directory.path, key: VaultKey.generate()))
        common = ProxyCommon(
            group: clock.loop,
            clock: clock,
            limits: setup.limits,
            resolve: { _, _ in [] },
            memoryAbated: {},
            logger: log.logger
        )
        room = ConnectionRoom(loops: [], clock: clock, abated: {})
        worker = try Self.worker(setup, common, store, clock)
    }

    /// Serves by another configuration from now on.
    func reload(_ setup: ProxySetup) throws {
        worker = try Self.worker(setup, common, store, clock)
    }

    /// Returns what is counted for the client of a name, and keeps it.
    func usage(of name: String?) -> ClientUsage {
        let usage = usages[name] ?? common.usages.usage(of: name.map { .client($0) } ?? .peer(Self.peer))
        usages[name] = usage
        return usage
    }

    private static func worker(
        _ setup: ProxySetup,
        _ common: ProxyCommon,
        _ store: InterruptibleStore,
        _ clock: EmbeddedClock
    ) throws -> ProxyWorker {
        let settings = try setup.settings()
        common.usages.apply(settings.limits)
        let apis = try settings.apis.map {
            try APIContext(settings: $0, target: nil, clock: nil, trust: nil, machine: clock)
        }
        let keeper = TokenKeeper(
            apis: apis,
            vault: store,
            common: common.keeping,
            earlier: EarlierCredentials([:], areOfSameStore: false),
            waiterLimit: settings.limits.exchangeWaiters,
            metrics: TokenMetrics(registry: common.sharedRegistry, accounts: nil)
        )
        let factory = WorkerFactory(
            common: common,
            settings: settings,
            apis: apis,
            listeners: try ListenerPurposes(settings),
            requestLimits: RequestLimits(settings, counters: common.apiRequests),
            leaves: try LeafContexts(
                authority: RunningProxy.authority.get(),
                clock: clock,
                offersHTTP2: settings.offersHTTP2,
                registry: common.sharedRegistry
            ),
            keeper: keeper,
            accessLog: nil
        )
        return factory.makeWorker(on: clock.loop)
    }
}

extension ProxySetup {
    /// Two APIs that nothing is sent to, `api` and `second`, of which the other one takes GET alone.
    static var unconnected: ProxySetup {
        ProxySetup(apis: [
            API(port: 1), API(name: "second", hosts: ["second.test"], port: 1, methods: ["GET"]),
        ])
    }

    /// The same, for two clients whose password is `open`, of which `two` may use the API `second` alone.
    static var listed: ProxySetup {
        var setup = unconnected
        setup.access = AccessPolicy(
            clients: [client("one"), client("two", apis: ["second"])]
        )
        return setup
    }

    private static func client(_ name: String, apis: Set<String>? = nil) -> Client {
        Client(name: name, apis: apis) { $0.spellsIgnoringCase("open") }
    }
}
