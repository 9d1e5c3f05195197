package import Bytes
package import Routing

/// An address that a preset fills in, where need be from the API's first host.
package enum PresetAddress: Sendable {
    /// A path on the API's first host.
    case path(String)
    /// A whole URL.
    case url(String)
    /// `https://ACCOUNT.app.netsuite.com/…`: this path there, for the account that the API's first host begins with.
    case netSuiteApplication(path: String)

    /// Nil when the first host is none that the address can be made from.
    package func url(firstHost: HostPattern?, scheme: URIScheme) -> String? {
        switch self {
        case .url(let url):
            return url
        case .path(let path):
            guard let firstHost, case .exact = firstHost.name else { return nil }
            return "\(scheme.rawValue)://\(firstHost)\(path)"
        case .netSuiteApplication(let path):
            return firstHost?.netSuiteAccount.map { "https://\($0.label).app.netsuite.com\(path)" }
        }
    }
}
