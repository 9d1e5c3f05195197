import Routing

/// Looks for what nobody can use: an API and its accounts that no client may, and requests that have no account.
struct ReachLint {
    let clients: [Client]

    /// - Parameters:
    ///   - value: The API's.
    ///   - accounts: The values of the accounts that are written, in the order of the file.
    func run(_ api: APIRoute, _ value: Value, accounts: [(name: String, value: Value)]) {
        let users = clients.filter { $0.apis?.contains(api.name) ?? true }
        guard clients.isEmpty || !users.isEmpty else {
            return value.adviseAtKey(
                .warning,
                "is for no client: each of access.clients is confined to other APIs"
            )
        }
        for account in accounts where !clients.isEmpty {
            guard !users.contains(where: { $0.accounts?.contains(account.name) ?? true }) else { continue }
            account.value.adviseAtKey(
                .warning,
                "is for no client: each of access.clients that may use this API is confined to other accounts"
            )
        }
        guard let first = accounts.first, !api.acceptsEnrolled, !api.accountNames.contains(Account.defaultName) else {
            return
        }
        value.context.advise(
            accounts.count == 1 ? .warning : .note,
            "\(value.path).accounts has none named \(Account.defaultName): a request that names no account, by the field "
                + "Paraph-Account or by the user name for the proxy, is refused",
            at: first.value.keyPosition
        )
    }
}
