import Credentials
import NIOCore
import UpstreamTrust

/// The state that the connections of one event loop, made under one configuration, share, and leave for later ones.
final class ConnectionMemory {
    let turn: EventLoopTurn
    private let clock: any ProxyClock
    var failed = FailedAddresses()
    /// By proxy. There are a few, as many as the configuration names.
    private var proxyClients: [(proxy: UpstreamProxy, tls: UpstreamTLS)] = []

    init(turn: EventLoopTurn, clock: any ProxyClock) {
        self.turn = turn
        self.clock = clock
    }

    /// The client side of the TLS that is spoken with another proxy.
    ///
    /// - Parameter roots: What its certificate has to lead to.
    func tls(with proxy: UpstreamProxy, trusting roots: TrustRoots) throws -> UpstreamTLS {
        if let known = proxyClients.first(where: { $0.proxy == proxy }) { return known.tls }
        let tls = try UpstreamTLS(
            api: "",
            policy: TLSPolicy(trust: roots),
            monitor: nil,
            clock: clock,
            // CONNECT is asked for by HTTP/1.1 alone.
            protocols: ["http/1.1"]
        )
        proxyClients.append((proxy, tls))
        return tls
    }
}

@available(*, unavailable)
extension ConnectionMemory: Sendable {}
