package import Bytes
import OAuthSigning

/// An absolute `http` or `https` URL, taken apart without rewriting a byte: what is signed is what is sent.
package struct ExchangeURL: Sendable, Equatable {
    package let scheme: URIScheme
    /// `host` or `host:port` as written, brackets included: the Host field's value (RFC 9110, section 7.2).
    package let authority: String
    /// The request-target in origin-form (RFC 9112, section 3.2.1). Never empty.
    package let target: String

    /// Reads a URL; nil unless it is an absolute `http` or `https` URL of visible ASCII with a host, and without user
    /// information and fragment.
    package init?(_ text: String) {
        let bytes = Array(text.utf8)
        guard bytes.allSatisfy({ 0x21...0x7E ~= $0 }), !bytes.contains(UInt8(ascii: "#")) else { return nil }
        guard let schemeEnd = bytes.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        let schemeName = String(decoding: bytes[..<schemeEnd], as: UTF8.self).lowercased()
        guard let scheme = URIScheme(rawValue: schemeName) else { return nil }
        var rest = bytes[(schemeEnd + 1)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        rest = rest.dropFirst(2)
        let isDelimiter = { (byte: UInt8) in byte == UInt8(ascii: "/") || byte == UInt8(ascii: "?") }
        let authority = rest.prefix { !isDelimiter($0) }
        guard Self.isAuthority(authority) else { return nil }
        let target = rest.dropFirst(authority.count)
        self.scheme = scheme
        self.authority = String(decoding: authority, as: UTF8.self)
        let pathAndQuery = String(decoding: target, as: UTF8.self)
        self.target = pathAndQuery.hasPrefix("/") ? pathAndQuery : "/" + pathAndQuery
    }

    private init(scheme: URIScheme, authority: String, target: String) {
        self.scheme = scheme
        self.authority = authority
        self.target = target
    }

    /// The same place, asked for another request-target.
    package func withTarget(_ target: [UInt8]) -> ExchangeURL {
        ExchangeURL(scheme: scheme, authority: authority, target: String(decoding: target, as: UTF8.self))
    }

    private static func isAuthority(_ bytes: ArraySlice<UInt8>) -> Bool {
        guard !bytes.contains(UInt8(ascii: "@")), !bytes.contains(UInt8(ascii: "\\")) else { return false }
        var host = bytes
        let afterBracket = bytes.lastIndex(of: UInt8(ascii: "]")).map { $0 + 1 } ?? bytes.startIndex
        if let colon = bytes[afterBracket...].firstIndex(of: UInt8(ascii: ":")) {
            let digits = bytes[(colon + 1)...]
            guard digits.allSatisfy(\.isDigit),
                let port = UInt16(String(decoding: digits, as: UTF8.self)), port > 0
            else { return false }
            host = bytes[..<colon]
        }
        if host.first == UInt8(ascii: "[") { return host.count > 2 && host.last == UInt8(ascii: "]") }
        return !host.isEmpty && !host.contains { $0 == UInt8(ascii: "[") || $0 == UInt8(ascii: "]") }
    }
}
