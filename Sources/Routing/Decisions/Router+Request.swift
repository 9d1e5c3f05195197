import Bytes
package import HTTP1Codec
import NIOCore

extension Router {
    /// Decides upon a request that came through an interception, in origin-form, absolute-form or asterisk-form.
    package func decide(
        inside interception: Interception,
        _ head: borrowing RequestHead
    ) throws(Refusal) -> RequestRoute {
        let isUsual = try interception.isFor(head)
        let originOffset = try interception.originOffset(of: head)
        let route = interception.route
        let account = try account(
            of: route,
            for: head,
            credentialsName: interception.accountName,
            client: interception.client
        )
        try confine(head, to: route, originOffset: originOffset)
        return RequestRoute(
            head,
            from: originOffset,
            to: route,
            at: interception.upstream,
            as: account,
            hostNamesUpstream: isUsual && interception.usualHostNamesUpstream,
            of: interception.client
        )
    }

    /// Decides upon an absolute-form request on the proxy's own connection. The target counts, and a Host field is
    /// ignored (RFC 9112, section 3.2.2).
    ///
    /// - Parameter known: The origin that was decided upon last for the same client, by this very router; set to the
    ///   request's own, nil where it is refused or for a host of no API.
    package func decide(
        absolute head: borrowing RequestHead,
        known: inout KnownOrigin?
    ) throws(Refusal) -> RequestRoute {
        let last = known
        known = nil
        let requester = try identify(head)
        let origin: KnownOrigin
        let originOffset: Int
        if let last, let offset = last.originOffset(of: head) {
            (origin, originOffset) = (last, offset)
        } else {
            let target = head.fields.bytes.readableBytesUInt8Span.extracting(head.targetRange)
            let url = try AbsoluteTarget(parsing: target)
            guard let (route, upstream) = route(of: url) else {
                try admit(requester.client, toPlainHostOfNoAPI: url)
                return RequestRoute(passing: head, from: url.originOffset, to: url.authority, of: requester.client)
            }
            originOffset = url.originOffset
            origin = KnownOrigin(target, originOffset: originOffset, route: route, upstream: upstream)
        }
        let account = try admit(requester, to: origin.route, head, originOffset: originOffset)
        known = origin
        return RequestRoute(
            head,
            from: originOffset,
            to: origin.route,
            at: origin.upstream,
            as: account,
            hostNamesUpstream: origin === last && origin.hostNamesUpstream && head.fields.contains(.host),
            of: requester.client
        )
    }

    private func admit(_ client: Client?, toPlainHostOfNoAPI url: AbsoluteTarget) throws(Refusal) {
        guard access.otherHosts.admits(url.authority) else { throw .hostOfNoAPI(url.authority) }
        guard url.scheme == .http else { throw .tunnelNeeded(url.authority) }
        try admit(client, toHostOfNoAPI: url.authority)
        guard access.plainPorts.contains(url.authority.port) else { throw .portNotAllowed(url.authority) }
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
    /// - Returns: Whether the Host field names the authority that CONNECT named as clients usually write it.
    /// - Throws: Where it names another one, or is not there.
    fileprivate func isFor(_ head: borrowing RequestHead) throws(Refusal) -> Bool {
        guard let range = head.fields.valueRange(of: .host) else { throw .missingHost }
        let host = head.fields.bytes.readableBytesUInt8Span.extracting(range)
        if host.spellsIgnoringCase(usualHost) { return true }
        guard try Router.parseAuthority(host, defaultPort: 443) == authority else {
            throw .misdirected(connect: authority)
        }
        return false
    }

    /// An absolute-form target is taken inside a connection too (RFC 9112, section 3.2.2), if it names its authority.
    fileprivate func originOffset(of head: borrowing RequestHead) throws(Refusal) -> Int {
        let target = head.fields.bytes.readableBytesUInt8Span.extracting(head.targetRange)
        if target.count > 0, target[0] == UInt8(ascii: "/") || target[0] == UInt8(ascii: "*") { return 0 }
        let url = try AbsoluteTarget(parsing: target)
        guard url.scheme == .https, url.authority == authority else { throw .misdirected(connect: authority) }
        return url.originOffset
    }
}
