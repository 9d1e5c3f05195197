import AdminServer
import Bytes
import FoundationEssentials
import Inspection

extension ServiceStatus {
    static let sampleTime = Date(timeIntervalSince1970: 1_800_000_000)

    /// A status with something of everything, and nothing wrong.
    static var sample: ServiceStatus {
        let now = sampleTime
        return ServiceStatus(
            time: now,
            version: "1.2.3",
            commit: "abc",
            started: now - 93_784,
            uptimeSeconds: 93_784,
            notReady: [],
            configuration: ConfigurationStatus(
                file: "paraph.yaml",
                loaded: now - 60,
                lastReload: ReloadStatus(time: now - 60, result: .applied)
            ),
            listeners: [
                ListenerStatus(.proxy, address: "[::1]:8443", tls: true, certificateExpires: now + 400 * 86_400),
                ListenerStatus(.admin, address: "127.0.0.1:8081"),
                ListenerStatus(.gateway, api: "members", address: "127.0.0.1:9000"),
            ],
            usage: UsageStatus(
                clientConnections: UsageStatus.Amount(used: 3, limit: 100),
                openConnections: UsageStatus.Amount(used: 5, limit: nil),
                heldBytes: UsageStatus.Amount(used: 0, limit: 1000),
                droppedLogLines: 0
            ),
            apis: [
                APIStatus(
                    name: "twitter",
                    hosts: ["api.twitter.com", "upload.twitter.com", "*.x.com"],
                    scheme: .https,
                    authorization: .oauth1,
                    signatureMethod: "HMAC-SHA1",
                    pins: [
                        PinStatus(
                            hosts: [],
                            mode: "public_key",
                            count: 2,
                            onFailure: "refuse",
                            expires: now + 100 * 86_400,
                            onExpiry: "report"
                        )
                    ],
                    clientCertificateExpires: now + 200 * 86_400,
                    clock: ClockStatus(follows: true, offsetSeconds: -7),
                    rateLimits: [
                        RateLimitStatus(
                            account: "default",
                            time: now - 5,
                            fields: [
                                RateLimitStatus.Field("x-rate-limit-limit", "15"),
                                RateLimitStatus.Field("x-rate-limit-remaining", "\u{1B}7"),
                            ]
                        )
                    ],
                    connections: UpstreamConnectionCounts(idle: 2, inUse: 1, waiting: 0)
                ),
                APIStatus(name: "members", hosts: ["members.example"], scheme: .http, authorization: .oauth2),
            ],
            accounts: [
                AccountStatus(api: "twitter", account: "default", source: .issued, state: .ready),
                AccountStatus(
                    api: "members",
                    account: "al\u{1B}[31mice",
                    source: .password,
                    state: .ready,
                    obtained: now - 90,
                    expires: now + 3_600,
                    waiting: 2,
                    lastExchange: ExchangeStatus(time: now - 10, result: .succeeded)
                ),
            ],
            accountsLeftOut: 12,
            authority: AuthorityStatus(certificate: "state/ca.pem", sha256: "AB:CD", expires: now + 3650 * 86_400),
            store: StoreStatus(kind: .directory, name: "state/vault"),
            problems: []
        )
    }
}
