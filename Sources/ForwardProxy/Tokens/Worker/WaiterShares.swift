/// The number of requests of each client that wait for the token of each account. Of an account's places a client has a
/// share after the rule of ``FairShare``: where it may use the account together with others, it leaves them some.
struct WaiterShares {
    private var counts: [AccountReference: [ObjectIdentifier: Int]] = [:]

    /// Returns whether one more of a client's may wait for an exchange that another one has begun.
    ///
    /// - Parameters:
    ///   - waiting: The number of those that wait for it, of all clients.
    ///   - limit: The number of those that may.
    func permits(_ client: ClientUsage, for account: AccountReference, waiting: Int, limit: Int) -> Bool {
        let held = counts[account]?[ObjectIdentifier(client)] ?? 0
        // One more than there are: of a few, whoever is alone may have all.
        return FairShare(capacity: limit + 1).permits(1, to: held, of: waiting)
    }

    mutating func add(_ client: ClientUsage, for account: AccountReference) {
        counts[account, default: [:]][ObjectIdentifier(client), default: 0] += 1
    }

    mutating func remove(_ client: ClientUsage, for account: AccountReference) {
        let left = (counts[account]?[ObjectIdentifier(client)] ?? 0) - 1
        counts[account]?[ObjectIdentifier(client)] = left > 0 ? left : nil
        if counts[account]?.isEmpty == true { counts[account] = nil }
    }

    /// The exchange has ended.
    mutating func removeAll(for account: AccountReference) {
        counts[account] = nil
    }
}
