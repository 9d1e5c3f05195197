import Routing
import Settings

/// Admits the requests and tunnels of one event loop, as many as one configuration allows.
struct Admissions {
    /// The limits of requests; nil when requests are not counted.
    private let requests: RequestLimits?
    private let tunnelsPerClient: Int?
    private let usages: ClientUsages
    private let pool: UpstreamPool

    init(requests: RequestLimits?, tunnelsPerClient: Int?, usages: ClientUsages, pool: UpstreamPool) {
        self.requests = requests
        self.tunnelsPerClient = tunnelsPerClient
        self.usages = usages
        self.pool = pool
    }

    /// Counts one more request, unless nothing has to be counted.
    ///
    /// - Parameter usage: Returns what is counted for the client of a name.
    /// - Throws: When one of the limits is reached.
    func admit(
        _ route: borrowing RequestRoute,
        usage: (String?) -> ClientUsage
    ) throws(Problem) -> RequestAdmission? {
        guard let requests else { return nil }
        return try requests.admit(route, of: usage(route.clientName))
    }

    /// Counts one more tunnel; where the client may have no more connections, in the place of an idle one upstream.
    ///
    /// - Throws: When the client may have no more.
    func claimTunnel(for client: ClientUsage) throws(Problem) -> ConnectionClaim {
        if let claim = ConnectionClaim.tunnel(for: client, limit: tunnelsPerClient) { return claim }
        if let limit = tunnelsPerClient, client.tunnels.isAt(limit) {
            throw .tooMany("tunnels", of: client.name, limit: limit, setting: "limits.tunnels_per_client")
        }
        if pool.closeOneIdle(of: client), let claim = claimFreed(by: client, replacesAnother: true) { return claim }
        if pool.closeOneIdle(for: client), let claim = claimFreed(by: client, replacesAnother: false) { return claim }
        if pool.closeIdleClient(of: client), let claim = claimFreed(by: client, replacesAnother: true) {
            return claim
        }
        throw usages.connectionsRefused(to: client)
    }

    private func claimFreed(by client: ClientUsage, replacesAnother: Bool) -> ConnectionClaim? {
        ConnectionClaim.tunnel(for: client, limit: tunnelsPerClient, replacesAnother: replacesAnother)
    }
}
