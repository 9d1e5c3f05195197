import Credentials
import Routing

/// One API as the running proxy holds it: the settings, and what is made of them once at start-up.
struct APIContext: Sendable {
    let settings: APISettings
    /// Nil when the upstream is reached by plain HTTP.
    let tls: UpstreamTLS?
    /// Index in `settings.accounts`, by name.
    let accounts: [String: Int]

    init(settings: APISettings) throws {
        self.settings = settings
        self.tls = settings.upstreamScheme == .https ? try UpstreamTLS(policy: settings.tls) : nil
        self.accounts = Dictionary(
            settings.accounts.enumerated().map { ($1.name, $0) },
            uniquingKeysWith: { first, _ in first }
        )
    }
}
