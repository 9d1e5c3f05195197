import Credentials
import NIOCore
import Synchronization

// MARK: - What is told of tokens

extension TokenKeeper {
    /// The number of clients that are told of those who wait for one account's token.
    private static let mostWaitingClients = 8

    /// Returns what there is to tell of those accounts whose tokens were asked for.
    ///
    /// - Parameter accounts: Those that are wanted. The lock is let go of after each, so that no event loop waits long.
    func uses(of accounts: [CredentialName: AccountReference]) -> [CredentialName: TokenUse] {
        accounts.compactMapValues { reference in
            let found = state.withLock { state in
                state.lifecycles[reference].map { lifecycle in
                    (TokenUse(lifecycle), lifecycle.waiters.compactMap { state.waits[$0] })
                }
            }
            guard let (found, waits) = found else { return nil }
            var use = found
            use.waiters = Self.clients(of: waits)
            return use
        }
    }

    /// - Parameter waits: In the order in which they began.
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
        let expiresAt: UInt64? = if case .access(let access) = token { access.expiresAt } else { nil }
        self.init(hasToken: token != nil, expiresAt: expiresAt, waiting: lifecycle.waiters.count)
    }
}
