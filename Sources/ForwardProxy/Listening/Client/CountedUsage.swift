/// The usage that the requests of a client's connection are counted for. That of the latest request is kept: mostly it is
/// the next one's too.
struct CountedUsage {
    private var latest: ClientUsage?

    /// - Parameters:
    ///   - name: That of a configured client; nil: whoever is at the address.
    ///   - peer: Only asked for where the usage is another one than before.
    mutating func usage(
        of name: String?,
        at peer: @autoclosure () -> PeerAddress,
        on proxyLoop: ProxyLoop
    ) -> ClientUsage {
        if let latest, latest.clientName == name { return latest }
        let usage = name.map { proxyLoop.worker.usages.usage(of: .client($0)) } ?? proxyLoop.usage(of: peer())
        latest = usage
        return usage
    }
}
