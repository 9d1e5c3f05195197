/// The rules for who may use the proxy, and for what besides the APIs.
package struct AccessPolicy: Sendable {
    /// The clients that may use it; empty: whoever reaches the listener.
    package let clients: [Client]
    package let otherHosts: OtherHosts
    /// The networks that are connected to, for hosts of APIs: where these lead is the operator's word.
    package let networks: NetworkPolicy
    /// The same for hosts of no API, which clients name. Those that are listed come from elsewhere, and are not to
    /// reach what only this machine and its network are.
    package let otherHostsNetworks: NetworkPolicy
    /// Ports that CONNECT may name for hosts of no API.
    package let connectPorts: Set<Int>
    /// Ports that `http://` in absolute-form may name for them.
    package let plainPorts: Set<Int>

    private let clientsByName: [String: Client]

    package init(
        clients: [Client] = [],
        otherHosts: OtherHosts = .tunnel,
        networks: NetworkPolicy = .standard,
        connectPorts: Set<Int> = [443],
        plainPorts: Set<Int> = [80]
    ) {
        self.clients = clients
        self.otherHosts = otherHosts
        self.networks = networks
        otherHostsNetworks = clients.isEmpty ? networks : networks.withoutPrivateNetworks
        self.connectPorts = connectPorts
        self.plainPorts = plainPorts
        clientsByName = Dictionary(clients.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    func lists(_ name: String) -> Bool { clientsByName[name] != nil }

    /// An unknown name costs a comparison like a known one, so that the time of the answer tells no names.
    func client(named name: String, password: Span<UInt8>) -> Client? {
        if let client = clientsByName[name] { return client.acceptsPassword(password) ? client : nil }
        _ = clients.first?.acceptsPassword(password)
        return nil
    }
}
