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
