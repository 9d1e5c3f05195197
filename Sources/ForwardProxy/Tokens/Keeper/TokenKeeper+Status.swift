import Credentials
import NIOCore
import Synchronization

// MARK: - What is told of tokens

extension TokenKeeper {
    /// The number of clients that are told of those who wait for one account's token.
    private static let mostWaitingClients = 8

    /// The accounts of which a token is known: in use, held, or from before a reload.
    var accountsWithTokens: Set<CredentialName> {
        let inUse = state.withLock { $0.lifecycles.filter { $0.value.current != nil }.map(\.key) }
        return Set((inUse + held.all.keys).map { name(of: $0) }).union(earlier.all.keys)
    }

    /// Returns what there is to tell of those accounts whose tokens were asked for.
    ///
    /// - Parameters:
    ///   - accounts: Those that are wanted. The lock is let go of after each, so that no event loop waits long.
    ///   - isStoreAway: Whether what is known without the store is told, too.
    func uses(of accounts: [CredentialName: AccountReference], isStoreAway: Bool) -> [CredentialName: TokenUse] {
        accounts.compactMapValues { reference in
            let found = state.withLock { state in
                state.lifecycles[reference].map { lifecycle in
                    (TokenUse(lifecycle), lifecycle.waiters.compactMap { state.waits[$0] })
                }
            }
            let (lifecycleUse, waits) = found ?? (TokenUse(hasToken: false), [])
            var use = lifecycleUse
            if isStoreAway, !use.hasToken {
                let known = held.credential(of: reference) ?? earlierCredential(of: reference)
                use.hasToken = known != nil
                use.expiresAt = known?.token.expiresAt
            }
            guard found != nil || use.hasToken else { return nil }
            use.waiters = Self.clients(of: waits)
            return use
        }
    }

    /// - Parameter waits: The waits, in the order in which they began.
    private static func clients(of waits: [Wait]) -> [WaitingClient] {
        var clients: [WaitingClient] = []
        for wait in waits {
            let (name, address) = (wait.client.usage.clientName, wait.client.address?.ipAddress)
            if let index = clients.firstIndex(where: { $0.name == name && $0.address == address }) {
                clients[index].requests += 1
            } else if clients.count < mostWaitingClients {
                clients.append(WaitingClient(name: name, address: address, requests: 1, since: wait.since))
            }
        }
        return clients
    }
}

extension TokenUse {
    fileprivate init(_ lifecycle: borrowing TokenLifecycle<UInt64>) {
        let token = lifecycle.current?.token
        self.init(hasToken: token != nil, expiresAt: token?.expiresAt, waiting: lifecycle.waiters.count)
    }
}

extension AccountToken {
    /// The time at which it expires, in seconds since 1970-01-01T00:00:00Z; nil when it is not known to expire.
    fileprivate var expiresAt: UInt64? { if case .access(let access) = self { access.expiresAt } else { nil } }
}
