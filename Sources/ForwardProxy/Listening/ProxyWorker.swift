import HTTP1Codec
import Logging
import NIOCore
import Routing
import Settings

/// The parts that one configuration makes for one event loop, shared by all its requests without a lock.
final class ProxyWorker {
    let listeners: ListenerPurposes
    let logins: LoginGuard
    let leaves: LeafContexts
    let admissions: Admissions
    let messageLimits: MessageLimits
    /// Connects tunnels to hosts of no API.
    let tunnels: UpstreamConnector
    let pool: UpstreamPool
    let exchanges: ExchangeContext
    let earlyRequests: EarlyRequests

    init(
        listeners: ListenerPurposes,
        logins: LoginGuard,
        leaves: LeafContexts,
        admissions: Admissions,
        messageLimits: MessageLimits,
        tunnels: UpstreamConnector,
        pool: UpstreamPool,
        exchanges: ExchangeContext,
        earlyRequests: EarlyRequests
    ) {
        self.listeners = listeners
        self.logins = logins
        self.leaves = leaves
        self.admissions = admissions
        self.messageLimits = messageLimits
        self.tunnels = tunnels
        self.pool = pool
        self.exchanges = exchanges
        self.earlyRequests = earlyRequests
    }

    var loop: any EventLoop { exchanges.loop }
    var clock: any ProxyClock { exchanges.clock }
    var settings: ProxySettings { exchanges.settings }
    var usages: ClientUsages { exchanges.usages }
    var meter: RequestMeter { exchanges.meter }
    var decisions: DecisionLog { exchanges.decisions }
    var reporter: RequestReporter { exchanges.reporter }
    var logger: Logger { reporter.logger }

    func connections(for interception: Interception) -> TargetPool {
        pool.connections(
            to: UpstreamTarget(kind: .api(interception.route.index), authority: interception.upstream)
        )
    }

    /// Returns the answer to requests on a connection that is one too many.
    ///
    /// - Parameter usage: That of the client, or of the address, that it is one too many for.
    func refusal(for shortage: Shortage, of usage: ClientUsage) -> Problem {
        usages.refused(shortage, to: usage, limit: settings.limits.connections)
    }

    func close() {
        pool.closeIdle()
        reporter.flush()
    }
}

@available(*, unavailable)
extension ProxyWorker: Sendable {}
