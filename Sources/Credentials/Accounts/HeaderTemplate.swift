package import OAuthSigning

/// The value of the Authorization field, with `{token}` where the access token goes.
package struct HeaderTemplate: Sendable, Equatable {
    /// `Bearer {token}` (RFC 6750, section 2.1).
    package static let bearer = HeaderTemplate(prefix: "Bearer ", suffix: "")

    private static let placeholder = "{token}"

    /// The text before the token.
    package let prefix: String
    /// The text after the token.
    package let suffix: String

    private init(prefix: String, suffix: String) {
        self.prefix = prefix
        self.suffix = suffix
    }

    /// Nil unless the text has `{token}` exactly once and is otherwise visible ASCII and spaces, with no space at
    /// either end: what a field's value may be (RFC 9110, section 5.5).
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ 0x20...0x7E ~= $0 }), bytes.first != 0x20, bytes.last != 0x20 else { return nil }
        let placeholder = Array(Self.placeholder.utf8)
        let starts = bytes.indices.filter { bytes[$0...].starts(with: placeholder) }
        guard starts.count == 1, let start = starts.first else { return nil }
        prefix = String(decoding: bytes[..<start], as: UTF8.self)
        suffix = String(decoding: bytes[(start + placeholder.count)...], as: UTF8.self)
    }

    /// The field's value; nil when the token has bytes that no field may have.
    package func value(token: Secret) -> [UInt8]? {
        token.withBytes { bytes in
            guard bytes.count > 0 else { return nil }
            var value = Array(prefix.utf8)
            value.reserveCapacity(value.count + bytes.count + suffix.utf8.count)
            for index in bytes.indices {
                guard 0x21...0x7E ~= bytes[index] else { return nil }
                value.append(bytes[index])
            }
            return value + suffix.utf8
        }
    }
}
