extension Router {
    /// Decides upon a request that came to a gateway.
    ///
    /// To its clients a gateway is an origin server: they send a path, and may authenticate as to one.
    /// - Parameters:
    ///   - port: The port that the gateway listens on.
    ///   - target: The request-target, in origin-form, absolute-form or asterisk-form.
    ///   - host: The value of the Host field; `nil` when there is none (HTTP/1.0), likewise below.
    ///   - origin: The value of the Origin field.
    ///   - fetchSite: The value of the Sec-Fetch-Site field.
    ///   - proxyAuthorization: The value of the Proxy-Authorization field.
    ///   - authorization: The value of the Authorization field.
    ///   - account: The value of the Paraph-Account field.
    package func decide(
        at gateway: Gateway,
        port: Int,
        method: Span<UInt8>,
        target: Span<UInt8>,
        host: Span<UInt8>?,
        origin: Span<UInt8>?,
        fetchSite: Span<UInt8>?,
        proxyAuthorization: Span<UInt8>?,
        authorization: Span<UInt8>?,
        account: Span<UInt8>?
    ) -> RequestDecision {
        do throws(Refusal) {
            let originOffset = try gateway.originOffset(of: target, host: host, port: port)
            try gateway.checkSite(origin: origin, fetchSite: fetchSite, host: host)
            let requester = try identify(proxyAuthorization: proxyAuthorization, authorization: authorization)
            let route = gateway.route
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
                    upstream: gateway.upstream,
                    hostNamesUpstream: false,
                    originOffset: originOffset,
                    client: requester.client,
                    consumesAuthorization: proxyAuthorization == nil && requester.client != nil
                )
            )
        } catch {
            return .refuse(error)
        }
    }

    /// Proxy-Authorization first, as everywhere. Where clients are configured Authorization does as well: it is what a
    /// client sends that knows of no proxy.
    private func identify(
        proxyAuthorization: Span<UInt8>?,
        authorization: Span<UInt8>?
    ) throws(Refusal) -> Requester {
        if proxyAuthorization == nil, access.clients.isEmpty { return Requester() }
        do throws(Refusal) {
            if let proxyAuthorization { return try identify(proxyAuthorization) }
            return try identify(authorization)
        } catch .clientNotAuthenticated {
            throw .gatewayClientNotAuthenticated
        } catch {
            throw error
        }
    }
}

extension Gateway {
    /// Where the origin-form begins, once it is sure that the request is for the gateway.
    fileprivate func originOffset(of target: Span<UInt8>, host: Span<UInt8>?, port: Int) throws(Refusal) -> Int {
        var named: Authority?
        if let host { named = try Router.parseAuthority(host, defaultPort: 80) }
        if target.count > 0, target[0] == UInt8(ascii: "/") || target[0] == UInt8(ascii: "*") {
            // No browser sends HTTP/1.0, so that a request which names no host comes from none.
            guard let named, !serves(named) else { return 0 }
            throw .hostOfNoGateway(named)
        }
        // A URL is taken from clients of a server too (RFC 9112, section 3.2.2), if it is the gateway's own: that of
        // another host comes from somebody who takes the gateway for a proxy.
        guard let url = try? AbsoluteTarget(parsing: target), url.scheme == .http, url.authority.port == port,
            isNamed(url.authority)
        else { throw .gatewayIsNoProxy }
        if let named, named != url.authority { throw .hostDiffersFromTarget(url.authority) }
        return url.originOffset
    }

    /// A page of any site can have its visitor's browser send requests to this machine. Browsers say so: in Origin, or,
    /// where a request has none, as that of an image, in Sec-Fetch-Site.
    fileprivate func checkSite(origin: Span<UInt8>?, fetchSite: Span<UInt8>?, host: Span<UInt8>?) throws(Refusal) {
        if let origin {
            guard let host, Self.isSame(origin, host) else { throw .foreignPage }
        }
        if let fetchSite {
            guard fetchSite.equalsIgnoringCase("same-origin") || fetchSite.equalsIgnoringCase("none") else {
                throw .foreignPage
            }
        }
    }

    /// Whether an origin (RFC 6454, section 6.2) is that of a page from the same host and port. By `https` it came
    /// through something before the gateway that ends TLS.
    private static func isSame(_ origin: Span<UInt8>, _ host: Span<UInt8>) -> Bool {
        let start: Int
        if origin.hasPrefixIgnoringCase("http://") {
            start = 7
        } else if origin.hasPrefixIgnoringCase("https://") {
            start = 8
        } else {
            return false
        }
        guard let host = host.text?.lowercased() else { return false }
        return origin.extracting(start..<origin.count).equalsIgnoringCase(host)
    }
}
