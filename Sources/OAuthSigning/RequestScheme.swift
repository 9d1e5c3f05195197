/// The scheme that the request is sent with, which is part of what is signed.
package enum RequestScheme: String, CaseIterable, Sendable {
    case http
    case https

    private static let httpOctets = Array("http".utf8)
    private static let httpsOctets = Array("https".utf8)

    var octets: [UInt8] {
        switch self {
        case .http: Self.httpOctets
        case .https: Self.httpsOctets
        }
    }
}
