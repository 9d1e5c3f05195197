/// The scheme of an `http` or `https` URI (RFC 9110, section 4.2).
package enum URIScheme: String, Hashable, CaseIterable, Sendable, Codable {
    case https
    case http

    private static let httpsBytes = Array("https".utf8)
    private static let httpBytes = Array("http".utf8)

    /// - Parameter name: The scheme's name, in letters of either case (RFC 3986, section 3.1).
    /// - Returns: Nil for any other scheme.
    package init?(name: Span<UInt8>) {
        if name.spellsIgnoringCase("https") {
            self = .https
        } else if name.spellsIgnoringCase("http") {
            self = .http
        } else {
            return nil
        }
    }

    /// The name, in lower case.
    package var bytes: [UInt8] {
        switch self {
        case .https: Self.httpsBytes
        case .http: Self.httpBytes
        }
    }

    package var defaultPort: Int { self == .https ? 443 : 80 }
}
