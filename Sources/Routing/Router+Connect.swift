extension Router {
    /// - Parameters:
    ///   - authority: The request-target of CONNECT, `HOST:PORT`.
    ///   - proxyAuthorization: The value of the Proxy-Authorization field; `nil` when there is none.
    package func decide(connect authority: Span<UInt8>, proxyAuthorization: Span<UInt8>?) -> ConnectDecision {
        do throws(Refusal) {
            let requester = try identify(proxyAuthorization)
            let authority = try Self.parseAuthority(authority, defaultPort: nil)
            guard let route = apis.route(for: authority) else {
                guard access.otherHosts == .tunnel else { throw .hostOfNoAPI(authority) }
                try admit(requester.client, toHostOfNoAPI: authority)
                guard access.connectPorts.contains(authority.port) else { throw .portNotAllowed(authority) }
                return .tunnel(authority, client: requester.client)
            }
            try admit(requester.client, to: route)
            return .intercept(
                Interception(
                    route: route,
                    authority: authority,
                    upstream: route.upstream(for: authority),
                    client: requester.client,
                    accountName: requester.accountName
                )
            )
        } catch {
            return .refuse(error)
        }
    }

    static func parseAuthority(_ bytes: Span<UInt8>, defaultPort: Int?) throws(Refusal) -> Authority {
        do {
            return try Authority(parsing: bytes, defaultPort: defaultPort)
        } catch {
            throw .malformedAuthority(error)
        }
    }
}
