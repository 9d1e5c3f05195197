import Credentials
import Synchronization

/// The end of the last exchange of each account, for as long as the process lives: a reload changes nothing in it.
///
/// Written when an exchange ends, and by no request.
final class LastExchanges: Sendable {
    private let limit: Int
    private let records = Mutex<[CredentialName: LastExchange]>([:])

    /// - Parameter limit: The number of accounts; beyond it the older half is forgotten. At least 2.
    init(limit: Int = 16_384) {
        self.limit = limit
    }

    var all: [CredentialName: LastExchange] { records.withLock { $0 } }

    func note(_ exchange: LastExchange, of name: CredentialName) {
        records.withLock { records in
            if records.count >= limit, records[name] == nil {
                let newest = records.sorted { $0.value.time > $1.value.time }.prefix(limit / 2)
                records = Dictionary(uniqueKeysWithValues: newest.map { ($0.key, $0.value) })
            }
            records[name] = exchange
        }
    }

    /// Forgets an account's exchange if it failed: the account has another token by now.
    func forgetFailure(of name: CredentialName) {
        records.withLock { records in
            if records[name]?.failure != nil { records[name] = nil }
        }
    }
}
