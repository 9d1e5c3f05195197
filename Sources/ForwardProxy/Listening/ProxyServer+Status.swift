package import Credentials
package import Inspection
package import NIOCore
import Settings

/// The figures and states of the proxy while it runs, asked from outside its event loops; no request waits for them.
extension ProxyServer {
    /// The addresses that it listens at, its own first, with the ports that were chosen where the settings leave them
    /// open.
    package var listenerAddresses: [(api: String?, address: SocketAddress)] {
        generation.settings.listeners.compactMap { listener in
            let api = listener.purpose.api
            return address(ofGateway: api).map { (api, $0) }
        }
    }

    /// The provider's time minus this machine's by API, in seconds; of those whose provider has told it, which it
    /// does where it refuses this machine's.
    package var clockOffsets: [String: Int64] {
        Dictionary(
            generation.apis.compactMap { api in api.clock.knownOffset.map { (api.settings.name, $0) } },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Returns the connections to the hosts of each API, over all event loops.
    package func upstreamConnections() async -> [String: UpstreamConnectionCounts] {
        var counts: [String: UpstreamConnectionCounts] = [:]
        for proxyLoop in loops.values {
            let more = try? await proxyLoop.eventLoop.submit { proxyLoop.value.load.pools }.get()
            for (api, more) in more ?? [:] { counts[api, default: UpstreamConnectionCounts()] += more }
        }
        return counts
    }

    /// Returns what there is to tell of the tokens of configured accounts, and of these that are enrolled.
    package func tokenUses(enrolled: [CredentialName], isStoreAway: Bool = false) -> [CredentialName: TokenUse] {
        let generation = generation
        var references: [CredentialName: AccountReference] = [:]
        for (index, api) in generation.apis.enumerated() {
            let name = api.settings.name
            for enrolled in enrolled where sameBytes(enrolled.api, name) {
                references[enrolled] = .enrolled(api: index, name: enrolled.account)
            }
            for (place, account) in api.settings.accounts.enumerated() {
                let name = CredentialName(api: name, account: account.name)
                references[name] = .configured(api: index, account: place)
            }
        }
        return generation.keeper.uses(of: references, isStoreAway: isStoreAway)
    }

    /// The accounts of which a token is known here, whatever the vault has of them, in the order of their names.
    package var accountsWithTokens: [CredentialName] {
        generation.keeper.accountsWithTokens.sorted { ($0.api, $0.account) < ($1.api, $1.account) }
    }

    /// The last exchanges of accounts, those of an earlier configuration among them.
    package var lastExchanges: [CredentialName: LastExchange] { exchangesOfAccounts.all }

    /// The hosts of each API at which every pin is of the chain that the server has now, as far as connections have
    /// told.
    package var hostsWithoutBackupPin: [String: [String]] { trust.hostsWithoutBackupPin }

    /// The health of each API: what its hosts last told, and how they last failed.
    package var healthOfAPIs: [String: HealthOfAPI] {
        Dictionary(
            generation.apis.map { ($0.settings.name, $0.health.told) },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// The use of what all clients share.
    package var sharedUse: SharedUse { usages.sharedUse }
}
