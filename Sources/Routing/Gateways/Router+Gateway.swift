import Bytes
package import HTTP1Codec
import NIOCore

extension Router {
    /// Decides upon a request that came to a gateway, in origin-form, absolute-form or asterisk-form.
    ///
    /// To its clients a gateway is an origin server: they send a path, and may authenticate as to one.
    ///
    /// - Parameters:
    ///   - port: The port that the gateway listens on.
    ///   - name: Host and port of the gateway for a client that names none.
    package func decide(
        at gateway: Gateway,
        port: Int,
        name: @autoclosure () -> String = "localhost",
        _ head: borrowing RequestHead
    ) throws(Refusal) -> RequestRoute {
        let originOffset = try gateway.originOffset(of: head, port: port)
        try gateway.checkSite(head)
        let requester = try identifyAtGateway(head)
        let account = try admit(requester, to: gateway.route, head, originOffset: originOffset)
        return RequestRoute(
            head,
            from: originOffset,
            as: account,
            of: requester.client,
            gateway: GatewayRequest(
                gateway: gateway,
                authority: head.fields.value(of: .host) ?? ByteBuffer(string: name()),
                consumesAuthorization: requester.client != nil && !head.fields.contains(.proxyAuthorization)
            )
        )
    }

    /// Proxy-Authorization first, as everywhere. Where clients are configured Authorization does as well: it is what a
    /// client sends that knows of no proxy.
    private func identifyAtGateway(_ head: borrowing RequestHead) throws(Refusal) -> Requester {
        let isOfProxy = head.fields.contains(.proxyAuthorization)
        if !isOfProxy, access.clients.isEmpty { return Requester() }
        do throws(Refusal) {
            return try identify(head, by: isOfProxy ? .proxyAuthorization : .authorization)
        } catch .clientNotAuthenticated {
            throw .gatewayClientNotAuthenticated
        } catch {
            throw error
        }
    }
}

extension Gateway {
    /// Checks that a request is for the gateway, and no page of another site has it sent.
    ///
    /// - Parameter port: The port that the gateway listens on.
    package func check(_ head: borrowing RequestHead, port: Int) throws(Refusal) {
        _ = try originOffset(of: head, port: port)
        try checkSite(head)
    }

    /// Returns where the origin-form begins, once it is sure that the request is for the gateway.
    fileprivate func originOffset(of head: borrowing RequestHead, port: Int) throws(Refusal) -> Int {
        let bytes = head.fields.bytes.readableBytesUInt8Span
        let target = bytes.extracting(head.targetRange)
        var named: Authority?
        if let host = head.fields.valueRange(of: .host) {
            named = try Router.parseAuthority(bytes.extracting(host), defaultPort: 80)
        }
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
    /// where a request has none, as that of an image, in Sec-Fetch-Site. Of several, which no browser sends, none can
    /// be trusted.
    fileprivate func checkSite(_ head: borrowing RequestHead) throws(Refusal) {
        let origins = head.fields.values(named: "origin")
        if let origin = origins.first {
            guard origins.count == 1, let host = head.fields.value(of: .host),
                Self.isSame(origin.readableBytesUInt8Span, host.readableBytesUInt8Span)
            else { throw .foreignPage }
        }
        let sites = head.fields.values(named: "sec-fetch-site")
        if let site = sites.first {
            let site = site.readableBytesUInt8Span
            guard sites.count == 1, site.spellsIgnoringCase("same-origin") || site.spellsIgnoringCase("none") else {
                throw .foreignPage
            }
        }
    }

    /// Returns whether an origin (RFC 6454, section 6.2) is that of a page from the same host and port. By `https` it
    /// came through something before the gateway that ends TLS.
    private static func isSame(_ origin: Span<UInt8>, _ host: Span<UInt8>) -> Bool {
        guard let beginning = URIBeginning(of: origin) else { return false }
        guard let host = host.text?.lowercased() else { return false }
        return origin.extracting(beginning.authority.lowerBound...).spellsIgnoringCase(host)
    }
}
