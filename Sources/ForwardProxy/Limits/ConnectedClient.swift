/// The client at the other end of one connection, as far as what it uses is counted.
final class ConnectedClient {
    private let peer: PeerAddress
    private let usages: ClientUsages
    /// By the name of a configured client, which may be another one for each request in absolute-form.
    private var last: (name: String?, usage: ClientUsage)?

    init(peer: PeerAddress, usages: ClientUsages) {
        self.peer = peer
        self.usages = usages
    }

    /// - Parameter name: that of a configured client; nil: whoever is at the address is one client.
    func usage(of name: String?) -> ClientUsage {
        if let last, last.name == name { return last.usage }
        let usage = usages.usage(of: name.map { .client($0) } ?? .peer(peer))
        last = (name, usage)
        return usage
    }
}

@available(*, unavailable)
extension ConnectedClient: Sendable {}
