import Credentials
import Synchronization

/// The names of accounts as labels, where the configuration wants them (`metrics.accounts`): a bounded number, since any
/// number of accounts can be enrolled.
final class AccountLabels: Sendable {
    /// The label of accounts that come after so many others.
    static let others = "_OTHER"

    private let limit: Int
    private let known = Mutex<Set<CredentialName>>([])

    /// - Parameter limit: The number of accounts of all APIs that are named.
    init(limit: Int = 1000) {
        self.limit = limit
    }

    func label(of account: String, at api: String) -> String {
        let name = CredentialName(api: api, account: account)
        return known.withLock { known in
            if known.contains(name) { return account }
            guard known.count < limit else { return Self.others }
            known.insert(name)
            return account
        }
    }
}
