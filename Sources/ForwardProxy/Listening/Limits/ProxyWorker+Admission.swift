import Routing
import Settings

extension ProxyWorker {
    /// Counts one more request, unless nothing has to be counted.
    ///
    /// - Throws: When one of the limits is reached.
    func admit(_ route: RequestRoute, from client: some ClientConnection) throws(Problem) -> RequestAdmission? {
        try requestLimits?.admit(route, of: client.usage(of: route.clientName))
    }

    /// Counts one more tunnel; where the client may have no more connections, in the place of an idle one upstream.
    ///
    /// - Throws: When the client may have no more.
    func claimTunnel(for client: ClientUsage) throws(Problem) -> ConnectionClaim {
        let limit = settings.limits.tunnelsPerClient
        if let claim = ConnectionClaim.tunnel(for: client, limit: limit) { return claim }
        if let limit, client.tunnels.isAt(limit) {
            throw .tooMany("tunnels", of: client.name, limit: limit, setting: "limits.tunnels_per_client")
        }
        if pool.closeOneIdle(of: client),
            let claim = ConnectionClaim.tunnel(for: client, limit: limit, replacesAnother: true)
        {
            return claim
        }
        if pool.closeOneIdle(for: client), let claim = ConnectionClaim.tunnel(for: client, limit: limit) {
            return claim
        }
        if pool.closeIdleClient?(client) == true,
            let claim = ConnectionClaim.tunnel(for: client, limit: limit, replacesAnother: true)
        {
            return claim
        }
        throw usages.connectionsRefused(to: client)
    }
}
