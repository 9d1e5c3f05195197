import Bytes
import HTTP1Codec
import NIOCore
import Routing
import Settings

/// The reasons to refuse a request that are not the router's to see.
enum RequestObjection {
    /// Returns a problem for what no request may have, wherever it goes.
    static func wherever(_ head: borrowing RequestHead) -> Problem? {
        // HTTP/2 alone says it, and is spoken through TLS alone.
        if let scheme = head.scheme, scheme != .https { return .schemeDiffersFromConnection }
        // Which of two was meant cannot be known, and a request is never signed as the wrong one.
        if repeats(.paraphAccount, in: head) { return .repeatedField(.paraphAccount) }
        if repeats(.proxyAuthorization, in: head) { return .repeatedField(.proxyAuthorization) }
        // What TRACE brings back is the request as the server got it, signature and all. Methods are case-sensitive
        // (RFC 9110, section 9.1), but not for every server.
        guard head.method == .trace || head.method == .other else { return nil }
        let method = head.methodBytes.readableBytesUInt8Span
        if method.spellsIgnoringCase("trace") { return .traceRefused }
        return method.spellsIgnoringCase("connect") ? .otherConnectRefused : nil
    }

    /// Returns a problem for what no request may have that comes to a gateway.
    static func atGateway(_ head: borrowing RequestHead) -> Problem? {
        // One of them may be the client's own name and password.
        repeats(.authorization, in: head) ? .repeatedField(.authorization) : nil
    }

    private static func repeats(_ field: KnownField, in head: borrowing RequestHead) -> Bool {
        head.fields.contains(field) && head.fields.values(of: field).reduce(0) { count, _ in count + 1 } > 1
    }

    /// Returns a problem for credentials of the client's own, where an API takes none.
    static func authorization(
        of head: borrowing RequestHead,
        on route: borrowing RequestRoute,
        apis: [APIContext]
    ) -> Problem? {
        guard let index = route.api?.index else { return nil }
        let api = apis[index]
        guard let field = api.fieldOfOwnCredentials(in: head, on: route) else { return nil }
        guard api.settings.existingAuthorization == .refuse else { return nil }
        return .authorizationRefused(api: api.settings.name, field: field)
    }
}
