extension Router {
    /// Decides upon a request that came through an interception.
    /// - Parameters:
    ///   - target: The request-target, in origin-form, absolute-form or asterisk-form.
    ///   - host: The value of the Host field; `nil` when there is none.
    ///   - account: The value of the Paraph-Account field; `nil` when there is none.
    package func decide(
        inside interception: Interception,
        method: Span<UInt8>,
        target: Span<UInt8>,
        host: Span<UInt8>?,
        account: Span<UInt8>?
    ) -> RequestDecision {
        do throws(Refusal) {
            guard let host else { throw .missingHost }
            let isUsual = host.equalsIgnoringCase(interception.usualHost)
            if !isUsual {
                guard try interception.isFor(host) else { throw .misdirected(connect: interception.authority) }
            }
            let originOffset = try interception.originOffset(of: target)
            let route = interception.route
            let account = try self.account(
                of: route,
                field: account,
                credentialsName: interception.accountName,
                client: interception.client
            )
            try confine(to: route, method: method, target: target.extracting(originOffset..<target.count))
            return .forward(
                Forwarding(
                    route: route,
                    account: account,
                    upstream: interception.upstream,
                    hostNamesUpstream: isUsual && interception.usualHostNamesUpstream,
                    originOffset: originOffset,
                    client: interception.client
                )
            )
        } catch {
            return .refuse(error)
        }
    }

    /// Decides upon an absolute-form request on the proxy's own connection. The target counts, and a Host field is
    /// ignored (RFC 9112, section 3.2.2).
    /// - Parameters:
    ///   - target: The request-target, an `http://` or `https://` URL.
    ///   - host: The value of the Host field; `nil` when there is none (HTTP/1.0).
    ///   - proxyAuthorization: The value of the Proxy-Authorization field; `nil` when there is none.
    ///   - account: The value of the Paraph-Account field; `nil` when there is none.
    ///   - known: The origin that was decided upon last for the same client, by this very router; set to the one that
    ///     is decided upon now where that is an API's.
    package func decide(
        absolute target: Span<UInt8>,
        method: Span<UInt8>,
        host: Span<UInt8>?,
        proxyAuthorization: Span<UInt8>?,
        account: Span<UInt8>?,
        known: inout KnownOrigin?
    ) -> RequestDecision {
        do throws(Refusal) {
            let requester = try identify(proxyAuthorization)
            let origin: KnownOrigin
            let originOffset: Int
            if let present = known, let offset = present.originOffset(of: target, host: host) {
                (origin, originOffset) = (present, offset)
            } else {
                let url = try AbsoluteTarget(parsing: target)
                guard let (route, upstream) = route(of: url) else {
                    guard access.otherHosts == .tunnel else { throw .hostOfNoAPI(url.authority) }
                    guard url.scheme == .http else { throw .tunnelNeeded(url.authority) }
                    try admit(requester.client, toHostOfNoAPI: url.authority)
                    guard access.plainPorts.contains(url.authority.port) else { throw .portNotAllowed(url.authority) }
                    return .pass(url.authority, originOffset: url.originOffset, client: requester.client)
                }
                originOffset = url.originOffset
                origin = KnownOrigin(target, originOffset: originOffset, route: route, upstream: upstream)
            }
            let isKnown = origin === known
            known = origin
            let route = origin.route
            try admit(requester.client, to: route)
            let account = try self.account(
                of: route,
                field: account,
                credentialsName: requester.accountName,
                client: requester.client
            )
            try confine(to: route, method: method, target: target.extracting(originOffset..<target.count))
            return .forward(
                Forwarding(
                    route: route,
                    account: account,
                    upstream: origin.upstream,
                    hostNamesUpstream: isKnown && host != nil && origin.hostNamesUpstream,
                    originOffset: originOffset,
                    client: requester.client
                )
            )
        } catch {
            return .refuse(error)
        }
    }

    private func route(of url: AbsoluteTarget) -> (APIRoute, Authority)? {
        switch url.scheme {
        case .http:
            return apis.plainRoute(for: url.authority)
        case .https:
            guard let route = apis.route(for: url.authority) else { return nil }
            return (route, route.upstream(for: url.authority))
        }
    }
}

extension Interception {
    /// Whether a Host field names the authority that CONNECT named.
    func isFor(_ host: Span<UInt8>) throws(Refusal) -> Bool {
        try Router.parseAuthority(host, defaultPort: 443) == authority
    }

    /// An absolute-form target is taken inside a connection too (RFC 9112, section 3.2.2), if it names its authority.
    func originOffset(of target: Span<UInt8>) throws(Refusal) -> Int {
        if target.count > 0, target[0] == UInt8(ascii: "/") || target[0] == UInt8(ascii: "*") { return 0 }
        let url = try AbsoluteTarget(parsing: target)
        guard url.scheme == .https, url.authority == authority else { throw .misdirected(connect: authority) }
        return url.originOffset
    }
}
