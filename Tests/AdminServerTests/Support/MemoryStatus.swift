import AdminServer
import Credentials
import FoundationEssentials

/// A process that tells always the same of itself.
struct MemoryStatus: StatusSource {
    static let start = Date(timeIntervalSince1970: 1_800_000_000)

    var accounts: [AccountStatus] = []

    func status() async -> ServiceStatus {
        ServiceStatus(
            time: Self.start + 61,
            version: "1.2.3",
            commit: "abc",
            started: Self.start,
            uptimeSeconds: 61,
            notReady: [],
            configuration: ConfigurationStatus(file: "/etc/paraph.yaml", loaded: Self.start),
            listeners: [
                ListenerStatus(.proxy, address: "127.0.0.1:8080"),
                ListenerStatus(.gateway, api: "x", address: "127.0.0.1:9000"),
            ],
            usage: UsageStatus(
                clientConnections: UsageStatus.Amount(used: 1, limit: 100),
                openConnections: UsageStatus.Amount(used: 2, limit: nil),
                heldBytes: UsageStatus.Amount(used: 0, limit: 1024),
                droppedLogLines: 0
            ),
            apis: [],
            accounts: accounts,
            accountsLeftOut: 0,
            authority: AuthorityStatus(certificate: "/ca.pem", sha256: "AB:CD", expires: Self.start),
            store: StoreStatus(kind: .directory, name: "/var/lib/paraph/vault"),
            problems: []
        )
    }

    func account(_ name: CredentialName) async -> AccountStatus? {
        accounts.first { CredentialName(api: $0.api, account: $0.account) == name }
    }
}
