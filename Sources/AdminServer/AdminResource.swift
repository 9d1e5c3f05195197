import Bytes
import Credentials
import Hummingbird

/// The meaning of a path of the admin listener.
enum AdminResource: Equatable {
    case health
    case readiness
    case metrics
    case authority
    case registration
    case accounts
    case account(CredentialName)

    /// - Parameter path: As on the request line, without the query.
    /// - Throws: When the path stands for nothing.
    init(path: String) throws(AdminRefusal) {
        switch path {
        case "/healthz": self = .health
        case "/readyz": self = .readiness
        case "/metrics": self = .metrics
        case "/ca.pem": self = .authority
        case "/register": self = .registration
        case "/accounts": self = .accounts
        default: self = .account(try Self.account(path))
        }
    }

    /// `/accounts/API/NAME`, each percent-encoded by itself.
    private static func account(_ path: String) throws(AdminRefusal) -> CredentialName {
        let segments = path.split(separator: "/", omittingEmptySubsequences: false)
        guard segments.count == 4, segments[0].isEmpty, segments[1] == "accounts",
            !segments[2].isEmpty, !segments[3].isEmpty
        else { throw .unknownPath }
        guard let api = PercentEncoding.decodeText(segments[2].utf8),
            let account = PercentEncoding.decodeText(segments[3].utf8)
        else { throw .malformedPath }
        return CredentialName(api: api, account: account)
    }

    /// The method that it can be asked with; GET stands for HEAD too.
    var method: HTTPRequest.Method {
        switch self {
        case .health, .readiness, .metrics, .authority, .accounts: .get
        case .registration: .post
        case .account: .delete
        }
    }

    /// Indicates whether whoever reaches the listener may ask: nothing here is secret, and probes have no token.
    var isPublic: Bool {
        switch self {
        case .health, .readiness, .metrics, .authority: true
        case .registration, .accounts, .account: false
        }
    }
}
