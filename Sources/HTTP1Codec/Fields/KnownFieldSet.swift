/// A set of known fields in one word; `other` is never a member.
package struct KnownFieldSet: Sendable, Equatable, ExpressibleByArrayLiteral {
    private var bits: UInt64 = 0

    package init() {}

    package init(arrayLiteral fields: KnownField...) {
        for field in fields { insert(field) }
    }

    package func contains(_ field: KnownField) -> Bool {
        bits & Self.bit(field) != 0
    }

    package mutating func insert(_ field: KnownField) {
        bits |= Self.bit(field)
    }

    package func union(_ other: KnownFieldSet) -> KnownFieldSet {
        var result = self
        result.bits |= other.bits
        return result
    }

    package func isDisjoint(with other: KnownFieldSet) -> Bool {
        bits & other.bits == 0
    }

    /// 0 for `other`, so that no set ever speaks of a field it cannot name.
    private static func bit(_ field: KnownField) -> UInt64 {
        1 << UInt64(field.rawValue) & ~1
    }
}

extension KnownFieldSet {
    /// Fields that a `Connection` option cannot take out of a message, because the next hop needs them to frame, route
    /// or verify it (RFC 9110, section 7.6.1).
    static let endToEnd: KnownFieldSet = [
        .host, .contentLength, .transferEncoding, .contentType, .contentEncoding, .contentRange, .authorization,
        .wwwAuthenticate, .cookie, .setCookie, .via, .maxForwards, .proxyStatus, .paraphAccount, .date, .location,
        .cacheControl, .expect, .range, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]

    /// Fields that make a trailer section an attack on framing or persistence: the message is refused.
    package static let refusedInTrailers: KnownFieldSet = [
        .host, .contentLength, .transferEncoding, .connection, .proxyConnection, .upgrade,
    ]

    /// Fields that mean nothing after the body, or too much (RFC 9110, section 6.5.1): the line is left out.
    package static let droppedFromTrailers: KnownFieldSet = [
        .keepAlive, .te, .trailer, .expect, .http2Settings, .contentType, .contentEncoding, .contentRange,
        .contentLocation, .authorization, .wwwAuthenticate, .proxyAuthorization, .proxyAuthenticate, .via, .maxForwards,
        .proxyStatus, .paraphAccount, .date, .age, .expires, .cacheControl, .pragma, .vary, .location, .retryAfter,
        .cookie, .setCookie, .range, .ifMatch, .ifNoneMatch, .ifModifiedSince, .ifUnmodifiedSince, .ifRange,
    ]
}
