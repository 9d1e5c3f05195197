import Settings

/// A client's connection that an event loop serves.
protocol ServedConnection: ClientConnection {
    var proxyLoop: ProxyLoop { get }
    /// The usage that its latest request is counted for; nil as long as nothing is counted.
    var lastUsage: ClientUsage? { get set }
}

extension ServedConnection {
    /// Serves what begins now; an exchange keeps the one that it began with.
    var worker: ProxyWorker { proxyLoop.worker }

    func usage(of name: String?) -> ClientUsage {
        if let lastUsage, lastUsage.clientName == name { return lastUsage }
        let usage = name.map { worker.usages.usage(of: .client($0)) } ?? proxyLoop.usage(of: peer)
        lastUsage = usage
        return usage
    }

    /// Returns the answer to requests on a connection that is one too many.
    ///
    /// - Parameter name: That of a configured client; nil: it is one too many for its address.
    func refusal(for shortage: Shortage, of name: String? = nil) -> Problem {
        worker.usages.refused(shortage, to: usage(of: name), limit: worker.settings.limits.connections)
    }
}
