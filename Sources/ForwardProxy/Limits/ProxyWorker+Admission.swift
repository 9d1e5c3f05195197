extension ProxyWorker {
    /// Counts one more request, unless nothing has to be counted.
    ///
    /// - Throws: when one of the limits is reached.
    func admit(_ route: ExchangeRoute, from client: some ClientConnection) throws(Problem) -> RequestAdmission? {
        guard let requestLimits else { return nil }
        let peerRequests = client.peerRequests ?? PeerRequests(client.peer)
        client.peerRequests = peerRequests
        return try requestLimits.admit(route, from: peerRequests)
    }
}
