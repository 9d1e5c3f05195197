import Bytes
package import FoundationEssentials

/// Everything that the running proxy tells of itself in one answer: `GET /status`, `paraph status`.
///
/// Every member is always there, and `null` where there is nothing to tell; their order is that of ``json``. Later
/// versions may add members. Nothing is a secret, or a token.
package struct ServiceStatus: Equatable, Sendable, Decodable {
    /// The time at which this was true.
    package var time: Date
    package var version: String
    package var commit: String
    package var started: Date
    package var uptimeSeconds: Int
    /// The parts that are not ready, by the names of `/readyz`; empty: requests are served.
    package var notReady: [String]
    package var configuration: ConfigurationStatus
    package var listeners: [ListenerStatus]
    package var usage: UsageStatus
    /// The APIs in the order of the configuration.
    package var apis: [APIStatus]
    /// The accounts of the configuration in its order, then enrolled ones by their names.
    package var accounts: [AccountStatus]
    /// The number of enrolled accounts that are not among ``accounts``, which has a few hundred of them at most.
    package var accountsLeftOut: Int
    package var authority: AuthorityStatus
    package var store: StoreStatus
    /// The problems that were found, the worst first.
    package var problems: [StatusProblem]

    package init(
        time: Date,
        version: String,
        commit: String,
        started: Date,
        uptimeSeconds: Int,
        notReady: [String],
        configuration: ConfigurationStatus,
        listeners: [ListenerStatus],
        usage: UsageStatus,
        apis: [APIStatus],
        accounts: [AccountStatus],
        accountsLeftOut: Int,
        authority: AuthorityStatus,
        store: StoreStatus,
        problems: [StatusProblem]
    ) {
        self.time = time
        self.version = version
        self.commit = commit
        self.started = started
        self.uptimeSeconds = uptimeSeconds
        self.notReady = notReady
        self.configuration = configuration
        self.listeners = listeners
        self.usage = usage
        self.apis = apis
        self.accounts = accounts
        self.accountsLeftOut = accountsLeftOut
        self.authority = authority
        self.store = store
        self.problems = problems
    }
}

extension ServiceStatus {
    var json: [(key: String, value: JSONText)] {
        [
            ("time", .time(time)),
            ("version", .string(version)),
            ("commit", .string(commit)),
            ("started", .time(started)),
            ("uptime_seconds", .integer(uptimeSeconds)),
            ("not_ready", .strings(notReady)),
            ("configuration", configuration.json),
            ("listeners", .array(listeners.map(\.json))),
            ("usage", usage.json),
            ("apis", .array(apis.map(\.json))),
            ("accounts", .array(accounts.map { .object($0.json) })),
            ("accounts_left_out", .integer(accountsLeftOut)),
            ("authority", authority.json),
            ("store", store.json),
            ("problems", .array(problems.map(\.json))),
        ]
    }

    /// The JSON text, on one line.
    package var jsonText: String { JSONText.object(json).line }
}

extension JSONText {
    /// A time in UTC, in whole seconds, as RFC 3339 has it, or null.
    static func time(_ date: Date?) -> JSONText { .string(date.map(Date.ISO8601FormatStyle().format)) }
}
