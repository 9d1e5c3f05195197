import NIOCore
import Routing
import Settings

/// A listener as the configuration names it. One that two configurations have in common stays open at a reload.
struct ListenerKey: Hashable, Sendable {
    let address: ListenAddress
    /// The API whose gateway listens on any free port: nothing else tells such a listener from another.
    private let api: String?

    init(address: ListenAddress, api: String?) {
        self.address = address
        self.api = address.port == 0 ? api : nil
    }
}

/// The purpose of connections to a listener.
enum ListenerPurpose: Sendable {
    case proxy
    case gateway(Gateway)
}

extension ListenerPurpose {
    /// The API of a gateway's listener; nil for the proxy's own.
    var api: String? {
        if case .gateway(let gateway) = self { gateway.route.name } else { nil }
    }
}

extension ProxySettings {
    /// Every listener, the proxy's own first.
    var listeners: [(key: ListenerKey, purpose: ListenerPurpose)] {
        let gateways = zip(router.apis.routes, apis).compactMap { route, api -> (ListenerKey, ListenerPurpose)? in
            guard let settings = api.gateway,
                let gateway = Gateway(route: route, address: settings.address.host, hosts: settings.hosts)
            else { return nil }
            return (ListenerKey(address: settings.address, api: api.name), .gateway(gateway))
        }
        return [(ListenerKey(address: address, api: nil), .proxy)] + gateways
    }
}

/// The listeners that a reload is to bring: they are bound already, so that nothing of the reload can fail for them
/// later. What connects to a new one waits until the reload has taken place.
package struct MovedListeners: Sendable {
    let added: [ListenerKey: any Channel]

    /// The reload does not take place.
    package func abandon() {
        for channel in added.values { channel.close(promise: nil) }
    }
}
