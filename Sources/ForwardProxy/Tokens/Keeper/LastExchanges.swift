import Bytes
import Credentials
import Synchronization

/// The end of the last exchange of each account, for as long as the process lives: a reload changes nothing in it.
///
/// Written when an exchange ends, and by no request.
final class LastExchanges: Sendable {
    private let exchanges: Mutex<BoundedCache<CredentialName, LastExchange, Never>>

    /// - Parameter limit: The number of accounts; beyond it the one whose exchange ended first is forgotten.
    init(limit: Int = 16_384) {
        exchanges = Mutex(BoundedCache(limit: limit))
    }

    var all: [CredentialName: LastExchange] { exchanges.withLock { $0.all } }

    func note(_ exchange: LastExchange, of name: CredentialName) {
        exchanges.withLock { $0.insert(exchange, for: name) }
    }

    /// Forgets an account's exchange if it failed: the account has another token by now.
    func forgetFailure(of name: CredentialName) {
        exchanges.withLock { exchanges in
            if exchanges.value(for: name)?.failure != nil { exchanges.removeValue(for: name) }
        }
    }
}
