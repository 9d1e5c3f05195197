import Credentials
import LocalAuthority
import Logging
import NIOCore
import NIOPosix
import Settings

/// All that one configuration makes. A reload replaces it as a whole.
final class ProxyGeneration: Sendable {
    let settings: ProxySettings
    let authority: LocalAuthority
    let keeper: TokenKeeper
    let vault: any CredentialStore
    let enroller: Enroller
    let apis: [APIContext]
    let invalidation: AccountInvalidation
    /// The workers, by event loop.
    let workers: [ObjectIdentifier: NIOLoopBound<ProxyWorker>]
    private let logger: Logger

    /// Does all that is done once: TLS contexts, signer tables, pools.
    ///
    /// - Parameters:
    ///   - previous: The one that this is to replace.
    init(_ configuration: ProxyConfiguration, common: ProxyCommon, previous: ProxyGeneration?) async throws {
        let settings = configuration.settings
        let (authority, vault) = (configuration.authority, configuration.vault)
        self.settings = settings
        self.authority = authority
        self.vault = vault
        logger = common.logger
        let known = Dictionary(
            (previous?.apis ?? []).map { ($0.settings.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
        let apis = try settings.apis.enumerated().map { index, api in
            try APIContext(
                settings: api,
                target: settings.enrolment?.target(of: index),
                clock: known[api.name]?.clock,
                health: known[api.name]?.health,
                trust: common.trust,
                machine: common.clock
            )
        }
        self.apis = apis
        let leaves = try LeafContexts(
            authority: authority,
            clock: common.clock,
            offersHTTP2: settings.offersHTTP2,
            registry: common.sharedRegistry
        )
        let listeners = try ListenerPurposes(settings)
        let accountLabels = settings.namesAccountsInMetrics ? common.accountLabels : nil
        let tokenMetrics = TokenMetrics(registry: common.sharedRegistry, accounts: accountLabels)
        tokenMetrics.begin(settings.apis)
        common.trust.begin(settings.apis)
        APIMetrics.begin(settings.apis, in: common.sharedRegistry)
        let hasSameVault = previous.map { vault.isSame(as: $0.vault) } ?? false
        let keeper = TokenKeeper(
            apis: apis,
            vault: vault,
            common: common.keeping,
            earlier: EarlierCredentials(
                previous?.keeper.knownCredentials(hasSameVault: hasSameVault) ?? [:],
                areOfSameStore: hasSameVault
            ),
            waiterLimit: settings.limits.exchangeWaiters,
            metrics: tokenMetrics
        )
        self.keeper = keeper
        let factory = WorkerFactory(
            common: common,
            settings: settings,
            apis: apis,
            listeners: listeners,
            requestLimits: RequestLimits(settings, counters: common.apiRequests),
            leaves: leaves,
            keeper: keeper,
            accessLog: configuration.accessLog
        )
        var workers: [ObjectIdentifier: NIOLoopBound<ProxyWorker>] = [:]
        var tokens: [NIOLoopBound<WorkerTokens>] = []
        var transports: [ExchangeTransport] = []
        for loop in common.group.makeIterator() {
            // Made on its loop, where it stays.
            let (worker, tokensOfLoop, transport) = try await loop.submit {
                let worker = factory.makeWorker(on: loop)
                return (
                    NIOLoopBound(worker, eventLoop: loop),
                    NIOLoopBound(worker.exchanges.tokens, eventLoop: loop),
                    worker.exchanges.tokens.transport
                )
            }.get()
            workers[ObjectIdentifier(loop)] = worker
            tokens.append(tokensOfLoop)
            transports.append(transport)
        }
        self.workers = workers
        invalidation = AccountInvalidation(keeper: keeper, apis: apis, tokens: tokens)
        enroller = Enroller(
            settings: settings.enrolment ?? EnrolmentSettings(),
            apis: apis,
            vault: vault,
            transports: transports,
            invalidation: invalidation,
            metrics: tokenMetrics,
            logger: logger
        )
        if previous != nil { for api in apis { api.health.policiesChanged() } }
    }

    /// Keeps tokens until ``TokenKeeper/finish()`` or the cancellation of the task.
    func run() async {
        await withTaskGroup(of: Void.self) { tasks in
            tasks.addTask { await self.watchVault() }
            tasks.addTask { await self.keeper.run() }
            tasks.addTask { await self.followStored() }
            tasks.addTask { await self.compareLater() }
            if let clocks = vault.sharedClocks {
                for api in apis where api.correctsClock {
                    let clock = SharedClockKeeper(api: api, store: clocks, logger: logger)
                    tasks.addTask { await clock.run() }
                }
            }
            // The watch ends with the keeper; without a watch the keeper goes on.
            for await _ in tasks where keeper.hasStopped { tasks.cancelAll() }
        }
    }

    /// Forgets what could not be written in time, and so is of this process alone: other replicas go by what is stored.
    private func followStored() async {
        for await (name, displacement) in keeper.displaced {
            await invalidation.forgetAccount(name)
            let outcome =
                switch displacement {
                case .replaced: "is not needed: the account goes on with the token that is stored"
                case .removed: "is not stored: what was stored before was removed meanwhile"
                }
            logger.info(
                "what was obtained while the store was away \(outcome)",
                metadata: ["api": "\(name.api)", "account": "\(name.account)"]
            )
        }
    }

    /// Forgets what could not be compared with the store before that went away: what others have changed is not told
    /// again.
    private func compareLater() async {
        for await _ in keeper.uncompared {
            while let accounts = await keeper.comparable() { await invalidation.forget(accounts) }
        }
    }

    /// Other processes change the vault as well: `paraph login`, `paraph accounts`.
    private func watchVault() async {
        do {
            try await vault.watch { changes in
                await invalidation.forget(changes)
            } interrupted: { reason in
                if let reason, case .etcdRestored = reason {
                    logger.error("the vault was restored from a backup", metadata: ["reason": "\(reason)"])
                } else if let reason {
                    logger.warning(
                        "what others change in the vault is not seen for now; it is tried again",
                        metadata: ["reason": "\(reason)"]
                    )
                } else {
                    logger.info("what others change in the vault is seen again")
                }
            }
        } catch {
            logger.warning(
                "what other commands change in the vault is seen at the next start only",
                metadata: ["reason": "\(error)"]
            )
        }
    }
}
