/// How an API is spoken to, whatever its client spoke.
package enum UpstreamScheme: String, Hashable, Sendable, CaseIterable {
    case https
    case http

    package var defaultPort: Int { self == .https ? 443 : 80 }
}
