/// Who may use the proxy, and for what besides the APIs.
package struct AccessPolicy: Sendable {
    /// Empty: whoever reaches the listener.
    package let clients: [Client]
    package let otherHosts: OtherHosts
    package let networks: NetworkPolicy
    /// Ports that CONNECT may name for hosts of no API.
    package let connectPorts: Set<Int>

    private let clientsByName: [String: Client]

    package init(
        clients: [Client] = [],
        otherHosts: OtherHosts = .tunnel,
        networks: NetworkPolicy = .linkLocalDenied,
        connectPorts: Set<Int> = [443]
    ) {
        self.clients = clients
        self.otherHosts = otherHosts
        self.networks = networks
        self.connectPorts = connectPorts
        clientsByName = Dictionary(clients.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// An unknown name costs a comparison like a known one, so that the time of the answer tells no names.
    func client(named name: String, password: Span<UInt8>) -> Client? {
        if let client = clientsByName[name] { return client.acceptsPassword(password) ? client : nil }
        _ = clients.first?.acceptsPassword(password)
        return nil
    }
}

extension NetworkPolicy {
    /// Link-local addresses, where cloud machines serve their own credentials, are denied.
    package static let linkLocalDenied = NetworkPolicy(denied: [.linkLocalIPv4, .linkLocalIPv6])
}
