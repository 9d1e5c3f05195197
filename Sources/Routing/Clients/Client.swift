/// Someone who may use the proxy.
package final class Client: Sendable {
    package let name: String
    /// Names of the only APIs the client may use; `nil`: every API.
    package let apis: Set<String>?
    /// Names of the only accounts the client may use; `nil`: every account.
    package let accounts: Set<String>?
    /// Returns whether the bytes are the client's password. Must take the same time wherever they first differ.
    package let acceptsPassword: @Sendable (Span<UInt8>) -> Bool

    package init(
        name: String,
        apis: Set<String>? = nil,
        accounts: Set<String>? = nil,
        acceptsPassword: @escaping @Sendable (Span<UInt8>) -> Bool
    ) {
        self.name = name
        self.apis = apis
        self.accounts = accounts
        self.acceptsPassword = acceptsPassword
    }

    func mayUse(_ account: Account) -> Bool { mayUse(accountNamed: account.name) }

    /// Names are the same when their bytes are.
    package func mayUse(accountNamed name: String) -> Bool {
        guard let accounts else { return true }
        guard let index = accounts.firstIndex(of: name) else { return false }
        return accounts[index].utf8.elementsEqual(name.utf8)
    }
}
