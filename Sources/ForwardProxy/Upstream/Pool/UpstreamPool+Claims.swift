import NIOCore

/// The connections that one client may have.
extension UpstreamPool {
    /// One more connection for a client's request; where the client may have no more open, in the place of one that is
    /// idle, on whichever event loop.
    ///
    /// - Parameters:
    ///   - freeOne: Has one of those in use for the client count no more; false: there is none.
    ///   - completion: Called once, now or later.
    func claim(
        for client: ClientUsage,
        freeingOne freeOne: () -> Bool,
        completion: @escaping (Result<ConnectionClaim, Problem>) -> Void
    ) {
        if client === usages.own {
            return completion(ConnectionClaim.own(client).map { .success($0) } ?? .failure(refusal(of: client)))
        }
        if let limit = connectionsPerClient, client.upstreamConnections.isAt(limit), !freeOne() {
            let setting = "limits.upstream_per_client"
            return completion(
                .failure(.tooMany("upstream connections", of: client.name, limit: limit, setting: setting))
            )
        }
        if let claim = claimHere(for: client) { return completion(.success(claim)) }
        guard let closeIdleElsewhere else { return completion(.failure(refusal(of: client))) }
        closeIdleElsewhere(client).assumeIsolated().whenComplete { [self] result in
            let claim = (try? result.get()) == true ? replacing(client) : nil
            completion(claim.map { .success($0) } ?? .failure(refusal(of: client)))
        }
    }

    private func claimHere(for client: ClientUsage) -> ConnectionClaim? {
        if let claim = ConnectionClaim.upstream(for: client, limit: connectionsPerClient) { return claim }
        if closeOneIdle(of: client) { return replacing(client) }
        if closeOneIdle(for: client),
            let claim = ConnectionClaim.upstream(for: client, limit: connectionsPerClient)
        {
            return claim
        }
        return closeIdleClient?(client) == true ? replacing(client) : nil
    }

    private func replacing(_ client: ClientUsage) -> ConnectionClaim? {
        ConnectionClaim.upstream(for: client, limit: connectionsPerClient, replacesAnother: true)
    }

    private func refusal(of client: ClientUsage) -> Problem { usages.connectionsRefused(to: client) }

    /// Closes an idle connection, of the client's own or, where it may have the place, of anybody.
    ///
    /// - Returns: False when there is none.
    func closeOneIdleAnywhere(for client: ClientUsage) -> Bool {
        closeOneIdle(of: client) || closeOneIdle(for: client)
    }
}
