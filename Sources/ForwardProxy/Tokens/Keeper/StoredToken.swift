import Credentials

/// The token that the vault was found to hold for an account.
enum StoredToken: Sendable {
    case nothing
    case token(AccountToken)
    /// There is a record, which is of no use.
    case unreadable

    func isToken(_ other: AccountToken?) -> Bool {
        switch self {
        case .nothing: other == nil
        case .token(let token): token.authorizes(as: other)
        case .unreadable: false
        }
    }
}
