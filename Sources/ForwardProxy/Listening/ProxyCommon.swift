import Logging
import NIOCore
import NIOPosix

/// What lasts for the whole life of the proxy, whatever is reloaded, and is shared by all event loops.
struct ProxyCommon: Sendable {
    let group: any EventLoopGroup
    let clock: any ProxyClock
    /// A name server that does not answer holds up look-ups for seconds: they get threads of their own.
    let resolverThreads = NIOThreadPool(numberOfThreads: 16)
    let locks = AccountLocks()
    let trust: TrustMonitor
    let apiRequests = APIRequestCounters()
    let usages: ClientUsages
    let ownListeners = OwnListeners()
    let logger: Logger

    init(group: any EventLoopGroup, clock: any ProxyClock, logger: Logger) {
        self.group = group
        self.clock = clock
        self.logger = logger
        usages = ClientUsages(clock: clock, logger: logger)
        trust = TrustMonitor(clock: clock, logger: logger)
    }
}
