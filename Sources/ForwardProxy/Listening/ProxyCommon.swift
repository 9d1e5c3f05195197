import Logging
import NIOCore
import Settings

/// The parts that last for the whole life of the proxy, whatever is reloaded, and are shared by all event loops.
struct ProxyCommon: Sendable {
    let group: any EventLoopGroup
    let clock: any ProxyClock
    let locks = AccountLocks()
    let trust: TrustMonitor
    let apiRequests = APIRequestCounters()
    let usages: ClientUsages
    let logins: LoginGuard
    let ownListeners = OwnListeners()
    let names: NameResolvers
    let logger: Logger

    init(
        group: any EventLoopGroup,
        clock: any ProxyClock,
        limits: ProxyLimits,
        resolve: @escaping NameLookups.Resolve,
        memoryAbated: @escaping @Sendable () -> Void,
        logger: Logger
    ) {
        self.group = group
        self.clock = clock
        names = NameResolvers(clock: clock, lineLimit: limits.lookupsInLine, resolve: resolve)
        self.logger = logger
        usages = ClientUsages(clock: clock, logger: logger, memoryAbated: memoryAbated)
        logins = LoginGuard(loop: group.any(), clock: clock, logger: logger)
        trust = TrustMonitor(clock: clock, logger: logger)
    }
}
