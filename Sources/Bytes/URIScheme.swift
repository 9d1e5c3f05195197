/// The scheme of an `http` or `https` URI (RFC 9110, section 4.2).
package enum URIScheme: String, Hashable, CaseIterable, Sendable, Codable {
    case https
    case http

    private static let httpsBytes = Array("https".utf8)
    private static let httpBytes = Array("http".utf8)

    /// The name, in lower case.
    package var bytes: [UInt8] {
        switch self {
        case .https: Self.httpsBytes
        case .http: Self.httpBytes
        }
    }

    package var defaultPort: Int { self == .https ? 443 : 80 }
}
