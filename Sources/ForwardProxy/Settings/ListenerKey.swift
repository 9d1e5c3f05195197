import Routing

/// A listener as the configuration names it. One that two configurations have in common stays open at a reload.
struct ListenerKey: Hashable, Sendable {
    let host: String
    let port: Int
    /// The API whose gateway listens on any free port: nothing else tells such a listener from another.
    private let api: String?

    init(host: String, port: Int, api: String?) {
        self.host = host
        self.port = port
        self.api = port == 0 ? api : nil
    }
}

/// The purpose of connections to a listener.
enum ListenerPurpose: Sendable {
    case proxy
    case gateway(Gateway)
}

extension ListenerPurpose {
    /// Nil: the proxy's own.
    var api: String? {
        if case .gateway(let gateway) = self { gateway.route.name } else { nil }
    }
}

extension ProxySettings {
    /// Every listener, the proxy's own first.
    var listeners: [(key: ListenerKey, purpose: ListenerPurpose)] {
        let gateways = zip(router.apis.routes, apis).compactMap { route, api -> (ListenerKey, ListenerPurpose)? in
            guard let settings = api.gateway,
                let gateway = Gateway(route: route, address: settings.host, hosts: settings.hosts)
            else { return nil }
            return (ListenerKey(host: settings.host, port: settings.port, api: api.name), .gateway(gateway))
        }
        return [(ListenerKey(host: host, port: port, api: nil), .proxy)] + gateways
    }
}
