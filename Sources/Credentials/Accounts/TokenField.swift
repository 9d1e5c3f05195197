import Bytes

/// A field other than Authorization in which an API takes its tokens.
package struct TokenField: Sendable, Equatable {
    /// Names that no template may have, in lower case: framing, the connection, routing and this proxy own them, or
    /// what they say of a message would be lost with the client's own lines (RFC 9110; RFC 9112; RFC 9113, section
    /// 8.2.2). Cookie, too: a request has one, with all that the client keeps, and of that nothing is to be replaced.
    private static let owned: Set<String> = [
        "host", "connection", "keep-alive", "te", "trailer", "transfer-encoding", "upgrade", "expect", "http2-settings",
        "www-authenticate", "authentication-info", "via", "max-forwards", "forwarded", "date", "age", "expires",
        "cache-control", "pragma", "vary", "location", "retry-after", "cookie", "cookie2", "set-cookie", "set-cookie2",
        "traceparent", "tracestate", "range", "if-match", "if-none-match", "if-modified-since", "if-unmodified-since",
        "if-range", "from", "referer", "origin", "user-agent", "alt-used", "early-data",
    ]

    /// Beginnings of such names.
    private static let ownedBeginnings = ["proxy-", "paraph-", "content-", "accept", "sec-", "access-control-"]

    /// The name as it is written in the configuration, and sent by HTTP/1.1.
    package let name: String
    package let lowercaseName: String
    /// The bytes of ``lowercaseName``.
    package let bytes: [UInt8]

    /// Takes the name of a field; nil unless it is a token (RFC 9110, section 5.6.2) that is free to be used.
    package init?(_ name: String) {
        let lowercaseName = name.lowercased()
        guard Self.isToken(name), !Self.owned.contains(lowercaseName),
            !Self.ownedBeginnings.contains(where: lowercaseName.hasPrefix)
        else { return nil }
        self.name = name
        self.lowercaseName = lowercaseName
        bytes = Array(lowercaseName.utf8)
    }

    /// Returns whether a text is a field's name, in syntax; no longer one than heads are read with.
    static func isToken(_ text: some StringProtocol) -> Bool {
        !text.isEmpty && text.utf8.count <= 256
            && text.utf8.allSatisfy { $0.isLetterOrDigit || "!#$%&'*+-.^_`|~".utf8.contains($0) }
    }
}
