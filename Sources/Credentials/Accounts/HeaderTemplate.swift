package import OAuthSigning

/// The field in which an access token is sent, with `{token}` where the token goes: the value of Authorization, or
/// `NAME: VALUE`.
package struct HeaderTemplate: Sendable, Equatable {
    /// The reason why a text is no template.
    package enum Fault: Error, Equatable {
        /// The text has not `{token}` once, begins with a colon, or is not of visible ASCII and blanks with none at
        /// either end.
        case malformed
        /// The name before the colon is that of a field which is not free to be used.
        case ownedField(String)
    }

    /// `Bearer {token}` (RFC 6750, section 2.1).
    package static let bearer = HeaderTemplate(field: nil, prefix: "Bearer ", suffix: "")

    private static let placeholder = "{token}"

    /// The field of the token; nil for Authorization.
    package let field: TokenField?
    /// The text before the token.
    package let prefix: String
    /// The text after the token.
    package let suffix: String

    private init(field: TokenField?, prefix: String, suffix: String) {
        self.field = field
        self.prefix = prefix
        self.suffix = suffix
    }

    /// Reads `VALUE`, or `NAME: VALUE` with a blank after the colon, which no credentials begin with (RFC 9110, section
    /// 11.4). The value has `{token}` exactly once and is otherwise visible ASCII and blanks, with no blank at either
    /// end: what a field's value may be (section 5.5).
    package init(parsing text: String) throws(Fault) {
        let bytes = Array(text.utf8)
        // What begins with a colon names no field, and no credentials do.
        guard bytes.allSatisfy({ 0x20...0x7E ~= $0 }), bytes.first != UInt8(ascii: ":") else { throw .malformed }
        var value = bytes[...]
        var field: TokenField?
        if let colon = bytes.firstIndex(of: UInt8(ascii: ":")) {
            let name = String(decoding: bytes[..<colon], as: UTF8.self)
            let rest = bytes[(colon + 1)...]
            if rest.first == 0x20, TokenField.isToken(name) {
                if name.lowercased() != "authorization" {
                    guard let named = TokenField(name) else { throw .ownedField(name) }
                    field = named
                }
                value = rest.drop { $0 == 0x20 }
            }
        }
        guard !value.isEmpty, value.first != 0x20, value.last != 0x20 else { throw .malformed }
        let placeholder = Array(Self.placeholder.utf8)
        let starts = value.indices.filter { value[$0...].starts(with: placeholder) }
        guard starts.count == 1, let start = starts.first else { throw .malformed }
        self.field = field
        prefix = String(decoding: value[..<start], as: UTF8.self)
        suffix = String(decoding: value[(start + placeholder.count)...], as: UTF8.self)
    }

    /// Reads a template; nil for what ``init(parsing:)`` throws of.
    package init?(_ text: String) {
        do throws(Fault) { try self.init(parsing: text) } catch { return nil }
    }

    /// Returns the name before a colon without a blank, as in `X-Api-Key:{token}`; nil: there is none. Such a text is
    /// the value of Authorization, which hardly anybody means.
    package static func nameWithoutBlank(in text: String) -> String? {
        guard let end = text.firstRange(of: ":\(placeholder)")?.lowerBound, TokenField.isToken(text[..<end]) else {
            return nil
        }
        return String(text[..<end])
    }

    /// The name of the field.
    package var fieldName: String { field?.name ?? "Authorization" }

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
