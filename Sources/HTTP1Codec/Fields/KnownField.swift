/// Field names that framing, routing, signing or forwarding decide on; every other name is `other`.
package enum KnownField: UInt8, Sendable, CaseIterable {
    case other = 0
    case host, contentLength, transferEncoding
    case connection, keepAlive, proxyConnection, te, trailer, upgrade, expect, http2Settings
    case contentType, contentEncoding, contentRange, contentLocation
    case authorization, wwwAuthenticate, authenticationInfo
    case proxyAuthorization, proxyAuthenticate, proxyAuthenticationInfo
    case via, maxForwards, proxyStatus, paraphAccount
    case date, age, expires, cacheControl, pragma, vary, location, retryAfter
    case cookie, setCookie
    case traceParent, traceState
    case range, ifMatch, ifNoneMatch, ifModifiedSince, ifUnmodifiedSince, ifRange

    /// The name in lower case; empty for `other`.
    package var name: String {
        switch self {
        case .other: ""
        case .host: "host"
        case .contentLength: "content-length"
        case .transferEncoding: "transfer-encoding"
        case .connection: "connection"
        case .keepAlive: "keep-alive"
        case .proxyConnection: "proxy-connection"
        case .te: "te"
        case .trailer: "trailer"
        case .upgrade: "upgrade"
        case .expect: "expect"
        case .http2Settings: "http2-settings"
        case .contentType: "content-type"
        case .contentEncoding: "content-encoding"
        case .contentRange: "content-range"
        case .contentLocation: "content-location"
        case .authorization: "authorization"
        case .wwwAuthenticate: "www-authenticate"
        case .authenticationInfo: "authentication-info"
        case .proxyAuthorization: "proxy-authorization"
        case .proxyAuthenticate: "proxy-authenticate"
        case .proxyAuthenticationInfo: "proxy-authentication-info"
        case .via: "via"
        case .maxForwards: "max-forwards"
        case .proxyStatus: "proxy-status"
        case .paraphAccount: "paraph-account"
        case .date: "date"
        case .age: "age"
        case .expires: "expires"
        case .cacheControl: "cache-control"
        case .pragma: "pragma"
        case .vary: "vary"
        case .location: "location"
        case .retryAfter: "retry-after"
        case .cookie: "cookie"
        case .setCookie: "set-cookie"
        case .traceParent: "traceparent"
        case .traceState: "tracestate"
        case .range: "range"
        case .ifMatch: "if-match"
        case .ifNoneMatch: "if-none-match"
        case .ifModifiedSince: "if-modified-since"
        case .ifUnmodifiedSince: "if-unmodified-since"
        case .ifRange: "if-range"
        }
    }
}
