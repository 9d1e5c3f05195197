/// The scheme that the request is sent with, which is part of what is signed.
package enum RequestScheme: String, CaseIterable, Sendable {
    case http
    case https

    private static let httpBytes = Array("http".utf8)
    private static let httpsBytes = Array("https".utf8)

    var bytes: [UInt8] {
        switch self {
        case .http: Self.httpBytes
        case .https: Self.httpsBytes
        }
    }
}
