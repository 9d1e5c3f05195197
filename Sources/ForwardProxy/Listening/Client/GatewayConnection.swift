import NIOCore
import Routing

/// A client's connection to a gateway: which one that is, by the configuration of the moment.
final class GatewayConnection {
    private let listener: ListenerKey
    /// The address that the client came to.
    let address: SocketAddress?
    private var decided: (gateway: Gateway?, by: ProxyWorker)?

    init(listener: ListenerKey, address: SocketAddress?) {
        self.listener = listener
        self.address = address
    }

    /// Returns the gateway; nil when the present configuration has none there any more.
    func gateway(by worker: ProxyWorker) -> Gateway? {
        if let decided, decided.by === worker { return decided.gateway }
        var gateway: Gateway?
        if case .gateway(let found) = worker.listeners[listener] { gateway = found }
        decided = (gateway, worker)
        return gateway
    }
}

@available(*, unavailable)
extension GatewayConnection: Sendable {}
