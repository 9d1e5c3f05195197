import AdminServer
import Bytes
import FoundationEssentials
import Inspection
import UpstreamTrust

/// A status for a person: what is wrong stands last, where a terminal shows it.
struct StatusText {
    private let status: ServiceStatus
    private let style: TextStyle
    /// The number of hosts of an API that are named.
    private static let namedHosts = 2
    /// The number of turns at exchanging that are named.
    private static let namedTurns = 3

    init(_ status: ServiceStatus, style: TextStyle) {
        self.status = status
        self.style = style
    }

    var text: String {
        let sections = [head, table(apis), table(rateLimits), table(accounts), problems].filter { !$0.isEmpty }
        return sections.map { $0.joined(separator: "\n") }.joined(separator: "\n\n")
    }

    // MARK: The process

    private var head: [String] {
        let configuration = status.configuration
        var rows = [
            ["paraph", "\(status.version) (commit \(status.commit))"],
            ["state", state],
            ["configuration", "\(configuration.file), loaded \(UTCText.format(configuration.loaded))"],
        ]
        if let reload = configuration.lastReload {
            rows.append(["last reload", "\(reload.result.rawValue) \(UTCText.format(reload.time))"])
        }
        rows += status.listeners.map { listener in
            let api = listener.api.map { " of \($0)" } ?? ""
            return ["\(listener.purpose.rawValue)\(api)", listener.address + (listener.tls ? ", by TLS" : "")]
        }
        let usage = status.usage
        rows += [
            [
                "connections",
                "\(amount(usage.clientConnections)) of clients, \(amount(usage.openConnections)) in all",
            ],
            [
                "local CA",
                "\(status.authority.certificate), until \(UTCText.format(status.authority.expires))",
            ],
            ["", "SHA-256 \(status.authority.sha256)"],
        ]
        rows += vault.enumerated().map { [$0.offset == 0 ? "vault" : "", $0.element] }
        return AlignedTable(rows: rows).lines
    }

    /// The lines about the vault.
    private var vault: [String] {
        let store = status.store
        let records = store.records.map { $0 == 1 ? ", 1 record" : ", \($0) records" } ?? ""
        var lines = [store.name + (store.reachable ? records : ", NOT REACHABLE")]
        if store.kind == .etcd { lines.append(revisions) }
        guard !store.turns.isEmpty else { return lines }
        let more = store.turns.count - Self.namedTurns + store.turnsLeftOut
        let turns = store.turns.prefix(Self.namedTurns).map { turn in
            let account = turn.api.map { "\($0)/\(turn.account ?? "")" } ?? "an account that is not known here"
            return "\(account) by \(turn.holder)"
        }
        lines.append("exchanges for \(turns.joined(separator: ", "))\(more > 0 ? " and \(more) more" : "")")
        return lines
    }

    private var revisions: String {
        let store = status.store
        let revision = "revision \(store.revision.map(String.init) ?? "not known")"
        guard let seconds = store.lagSeconds else { return "\(revision), changes not seen yet" }
        guard let since = store.interruptedSince else { return "\(revision), changes seen as they come" }
        let revisions = store.lagRevisions.map { ", \($0) of its revisions" } ?? ""
        return "\(revision), changes not seen since \(UTCText.format(since)) (\(Self.duration(seconds))\(revisions))"
    }

    private var state: String {
        let since = "up \(Self.duration(status.uptimeSeconds)), since \(UTCText.format(status.started))"
        return status.notReady.isEmpty
            ? "ready, \(since)" : "NOT READY (\(status.notReady.joined(separator: ", "))), \(since)"
    }

    private func amount(_ amount: UsageStatus.Amount) -> String {
        amount.limit.map { "\(amount.used)/\($0)" } ?? "\(amount.used)"
    }

    /// Returns a time in its two greatest units.
    static func duration(_ seconds: Int) -> String {
        let units = [("d", 86_400), ("h", 3_600), ("min", 60), ("s", 1)]
        let first = units.firstIndex { seconds >= $0.1 } ?? units.count - 1
        var rest = seconds
        var words: [String] = []
        for (name, size) in units[first...].prefix(2) where rest >= size || words.isEmpty {
            words.append("\(rest / size) \(name)")
            rest %= size
        }
        return words.joined(separator: " ")
    }

    // MARK: APIs and accounts

    private var apis: (header: [String], rows: [[String]]) {
        let rows = status.apis.map { api in
            let more = api.hosts.count - Self.namedHosts
            let hosts = api.hosts.prefix(Self.namedHosts).joined(separator: ", ") + (more > 0 ? " +\(more)" : "")
            let connections = api.connections
            return [
                api.name,
                api.signatureMethod ?? api.authorization.rawValue,
                (api.scheme == .https ? "" : "\(api.scheme.rawValue)://") + hosts,
                pins(of: api),
                clock(of: api),
                "\(connections.inUse)/\(connections.idle)/\(connections.waiting)",
            ]
        }
        return (["API", "AUTHORIZATION", "HOSTS", "PINS", "CLOCK", "USED/IDLE/WAITING"], rows)
    }

    private func clock(of api: APIStatus) -> String {
        guard let offset = api.clock?.offsetSeconds else { return "-" }
        return "\(offset > 0 ? "+" : "")\(offset) s"
    }

    private func pins(of api: APIStatus) -> String {
        guard !api.pins.isEmpty else { return "-" }
        let count = api.pins.reduce(0) { $0 + $1.count }
        let expires = api.pins.compactMap(\.expires).min().map { ", until \(UTCText.format($0))" } ?? ""
        return "\(count)\(expires)\(api.hostsWithoutBackupPin.isEmpty ? "" : ", no backup")"
    }

    /// The table of the limits that providers last told; no rows where none has.
    private var rateLimits: (header: [String], rows: [[String]]) {
        let rows = status.apis.flatMap { api in
            api.rateLimits.map { limits in
                let fields = limits.fields.map { "\($0.name): \($0.value)" }.joined(separator: ", ")
                return [api.name, limits.account ?? "-", UTCText.format(limits.time), fields]
            }
        }
        return (["API", "ACCOUNT", "TOLD", "RATE LIMITS"], rows)
    }

    private var accounts: (header: [String], rows: [[String]]) {
        var rows = status.accounts.map { account in
            [
                account.api,
                account.account,
                account.source.rawValue,
                Self.words(account.state),
                age(of: account),
                account.expires.map { UTCText.format($0) } ?? "-",
                "\(account.waiting)",
                account.lastExchange.map { "\(UTCText.format($0.time)) \($0.result.rawValue)" } ?? "-",
            ]
        }
        if status.accountsLeftOut > 0 {
            rows.append(["", "and \(status.accountsLeftOut) more", "enrolment", "", "", "", "", ""])
        }
        return (["API", "ACCOUNT", "SOURCE", "STATE", "AGE", "EXPIRES", "WAITING", "LAST EXCHANGE"], rows)
    }

    /// The time that an account has had its token for.
    private func age(of account: AccountStatus) -> String {
        if let obtained = account.obtained {
            return Self.duration(max(0, Int(status.time.timeIntervalSince(obtained))))
        }
        return account.source == .issued || account.source == .bearer ? "configured" : "-"
    }

    private static func words(_ state: AccountStatus.State) -> String {
        switch state {
        case .ready: "ready"
        case .notYet: "none yet"
        case .expired: "expired"
        case .needsLogin: "needs paraph login"
        case .failing: "failing"
        case .unusable: "unusable"
        case .unknown: "not known"
        }
    }

    private func table(_ table: (header: [String], rows: [[String]])) -> [String] {
        guard !table.rows.isEmpty else { return [] }
        let lines = AlignedTable(header: table.header, rows: table.rows).lines
        return lines.prefix(1).map(style.dim) + lines.dropFirst()
    }

    // MARK: What is wrong

    private var problems: [String] {
        guard !status.problems.isEmpty else { return [style.good("Nothing is wrong.")] }
        return [style.bold("What is wrong:")]
            + status.problems.flatMap { problem in
                let severity = problem.severity == .error ? style.bad("error  ") : "warning"
                let message = PrintableText(problem.message, escapesQuotes: false)
                let remedy = PrintableText(problem.remedy, escapesQuotes: false)
                return ["\(severity)  \(message)", "         \(style.bold("fix:")) \(remedy)"]
            }
    }
}
