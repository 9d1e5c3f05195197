import Bytes

/// Finds the API that claims a host and port with at most four dictionary look-ups, however many APIs there are.
/// An exact host wins over a wildcard.
package struct APITable: Sendable {
    package let routes: [APIRoute]

    /// Hosts with the port that was written, or 443.
    private var exact: [Authority: APIRoute] = [:]
    private var wildcard: [Authority: APIRoute] = [:]
    /// Hosts written without a port, which absolute-form `http://` requests reach on port 80.
    private var exactWithoutPort: [String: APIRoute] = [:]
    private var wildcardWithoutPort: [String: APIRoute] = [:]

    /// Makes the table of these routes; when two APIs claim one host and port, the first keeps it; `conflicts(in:)`
    /// finds such claims beforehand.
    package init(_ routes: [APIRoute]) {
        self.routes = routes
        for route in routes {
            for pattern in route.hosts {
                let key = pattern.key
                if pattern.isWildcard {
                    wildcard[key] = wildcard[key] ?? route
                    if pattern.port == nil { wildcardWithoutPort[key.host] = wildcardWithoutPort[key.host] ?? route }
                } else {
                    exact[key] = exact[key] ?? route
                    if pattern.port == nil { exactWithoutPort[key.host] = exactWithoutPort[key.host] ?? route }
                }
            }
        }
    }

    /// The API of a CONNECT authority, or of an absolute-form `https://` request.
    package func route(for authority: Authority) -> APIRoute? {
        if let route = exact[authority] { return route }
        guard !wildcard.isEmpty, let suffix = authority.hostAfterFirstLabel else { return nil }
        return wildcard[Authority(canonicalHost: suffix, port: authority.port)]
    }

    /// The API of an absolute-form `http://` request, and where such a request goes: port 80 of a host that was
    /// configured without a port means the default port of the API's own scheme.
    package func plainRoute(for authority: Authority) -> (route: APIRoute, upstream: Authority)? {
        func onDefaultPort(_ route: APIRoute) -> (route: APIRoute, upstream: Authority) {
            (route, authority.with(port: route.upstreamScheme.defaultPort))
        }
        if let route = exact[authority] { return (route, route.upstream(for: authority)) }
        if authority.port == 80, let route = exactWithoutPort[authority.host] { return onDefaultPort(route) }
        guard !wildcard.isEmpty, let suffix = authority.hostAfterFirstLabel else { return nil }
        if let route = wildcard[Authority(canonicalHost: suffix, port: authority.port)] {
            return (route, route.upstream(for: authority))
        }
        if authority.port == 80, let route = wildcardWithoutPort[suffix] { return onDefaultPort(route) }
        return nil
    }
}

extension HostPattern {
    var isWildcard: Bool {
        if case .wildcard = name { true } else { false }
    }

    /// The key that the pattern is filed under: its host or suffix, and its port or 443.
    var key: Authority {
        switch name {
        case .exact(let host): Authority(canonicalHost: host, port: port ?? 443)
        case .wildcard(let suffix): Authority(canonicalHost: suffix, port: port ?? 443)
        }
    }
}

extension APIRoute {
    /// Returns where a request for an authority of this API goes. Only a host without a port of an API that is spoken
    /// to in clear text is elsewhere: its 443 stands for 80.
    func upstream(for authority: Authority) -> Authority {
        guard upstreamScheme == .http, authority.port == 443 else { return authority }
        let isWritten = hosts.contains { $0.port == 443 && $0.matches(authority, scheme: .https) }
        return isWritten ? authority : authority.with(port: 80)
    }
}

extension APITable {
    /// Two host patterns that claim one host and port.
    package struct Conflict: Hashable, Sendable {
        package let first: HostPattern
        package let firstAPI: String
        package let second: HostPattern
        package let secondAPI: String
        /// The place of `second` in the list of `secondAPI`'s hosts.
        package let secondIndex: Int
        package let secondAPIIndex: Int
    }

    /// Every pattern that claims what an earlier one has claimed. An exact host inside another API's wildcard is no
    /// conflict. `api.example.com` and `api.example.com:80` of two APIs are one: both claim `http://` requests.
    package static func conflicts(in routes: [APIRoute]) -> [Conflict] {
        struct Claim: Hashable {
            var key: Authority
            var isWildcard: Bool
        }
        struct Claimant {
            var pattern: HostPattern
            var route: APIRoute
        }
        var claims: [Claim: Claimant] = [:]
        var implied: [Claim: Claimant] = [:]
        var conflicts: [Conflict] = []
        for route in routes {
            for (place, pattern) in route.hosts.enumerated() {
                let claimant = Claimant(pattern: pattern, route: route)
                let claim = Claim(key: pattern.key, isWildcard: pattern.isWildcard)
                var earlier = claims[claim]
                if pattern.port == nil {
                    let plain = Claim(key: pattern.key.with(port: 80), isWildcard: pattern.isWildcard)
                    if let other = claims[plain], other.route !== route { earlier = earlier ?? other }
                    implied[plain] = implied[plain] ?? claimant
                } else if let other = implied[claim], other.route !== route {
                    earlier = earlier ?? other
                }
                claims[claim] = claims[claim] ?? claimant
                if let earlier {
                    conflicts.append(
                        Conflict(
                            first: earlier.pattern,
                            firstAPI: earlier.route.name,
                            second: pattern,
                            secondAPI: route.name,
                            secondIndex: place,
                            secondAPIIndex: route.index
                        )
                    )
                }
            }
        }
        return conflicts
    }
}
