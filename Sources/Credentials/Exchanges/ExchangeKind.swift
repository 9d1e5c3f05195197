/// The kind of a token exchange that needs no person. The raw values are labels.
package enum ExchangeKind: String, Sendable, CaseIterable {
    case reverseAuth = "reverse_auth"
    case xAuth = "xauth"
    case password = "password"
    /// A token is refreshed that the password grant brought.
    case refresh = "refresh"

    /// The name for a person.
    package var name: String {
        let step: ExchangeStep =
            switch self {
            case .reverseAuth: .reverseAuth
            case .xAuth: .xAuth
            case .password: .passwordGrant
            case .refresh: .refresh
            }
        return step.rawValue
    }
}

extension TokenExchange {
    /// The kind of the request that was sent last; of the first, where none was.
    package var kind: ExchangeKind {
        switch self {
        case .reverseAuth: .reverseAuth
        case .xAuth: .xAuth
        case .passwordGrant(let exchange): exchange.kind
        }
    }

    /// Returns the kinds that an account's exchanges may be of; empty where nothing is to be exchanged.
    package static func kinds(of source: TokenSource, scheme: AuthorizationScheme) -> [ExchangeKind] {
        switch (source, scheme) {
        case (.reverseAuth, .oauth1): [.reverseAuth]
        case (.xAuth, .oauth1): [.xAuth]
        case (.password, .oauth2): [.password, .refresh]
        default: []
        }
    }
}
