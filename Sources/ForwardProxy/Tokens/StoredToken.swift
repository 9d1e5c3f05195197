import Credentials

/// The token that the vault holds for an account, or that it holds none.
struct StoredToken: Sendable {
    private let token: AccountToken?

    init(_ token: AccountToken?) {
        self.token = token
    }

    func isToken(_ other: AccountToken?) -> Bool {
        guard let token else { return other == nil }
        return token.authorizes(as: other)
    }
}
