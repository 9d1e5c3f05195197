import AdminServer
import Bytes
import Credentials
import ForwardProxy
import FoundationEssentials
import ParaphConfiguration
import UpstreamTrust

/// Finds what is wrong in a status, and says what to do about it.
struct ProblemSearch {
    /// The time before its end from which a certificate, a pin or a token is warned of, in seconds.
    private static let warningTime: TimeInterval = 14 * 86_400
    /// Seconds that clocks may be apart; providers take some minutes.
    private static let clockTolerance = 30
    /// The number of problems of one kind and API that are told one by one.
    private static let mostOfAKind = 5

    /// The status, but for its problems.
    let status: ServiceStatus
    /// Indicates whether Paraph made the local CA and can renew it.
    let authorityIsParaphs: Bool
    /// Indicates whether the local CA was renewed already, which a reload takes.
    var authorityIsRenewed = false
    /// The sentences about hosts that the local CA does not reach.
    let reachSentences: [String]
    let vaultErrors: [VaultError]
    /// The accounts whose credentials in the vault are older ones that were put back.
    var putBack: Set<CredentialName> = []
    /// The sentence about files that the process may not open; nil: there are enough.
    let filesWarning: String?
    let hasJustLostLines: Bool
    /// The health of each API: what its hosts last told, and how they last failed.
    var health: [String: HealthOfAPI] = [:]
    /// The advice that `paraph check` gives on the configuration.
    var advice: [Advice] = []

    /// The problems, errors first.
    var problems: [StatusProblem] {
        let inForce = parts + reload + vault + accounts + upstreams + authorityProblems + listeners + apis
        let told = abridged(inForce + findings(besides: inForce) + usage)
        return told.filter { $0.severity == .error } + told.filter { $0.severity == .warning }
    }

    var option: String { "--config \(shellQuoted(status.configuration.file))" }

    // MARK: The process

    private var parts: [StatusProblem] {
        status.notReady.map { part in
            let message =
                switch Readiness.Part(rawValue: part) {
                case .proxy: "the proxy serves no requests: it is starting, or stopping"
                case .vault:
                    "the vault cannot be read: accounts whose token is known go on with it, others may have none until it can"
                case .authority: "there is no local CA, so that no host can be intercepted"
                case .configuration, nil: "\(part) is not ready"
                }
            return StatusProblem(.error, .notReady, message, remedy: "the log of paraph run says why")
        }
    }

    private var reload: [StatusProblem] {
        guard let reload = status.configuration.lastReload, reload.result == .refused else { return [] }
        let count = reload.mistakes.count
        let mistakes = reload.mistakes.first.map { count > 1 ? ": \($0) (and \(count - 1) more)" : ": \($0)" } ?? ""
        return [
            StatusProblem(
                .error,
                .reloadRefused,
                "the configuration was not reloaded, and what it said before is still served: "
                    + "\(reload.reason ?? "")\(mistakes)",
                remedy: count > 0
                    ? "paraph check \(option)   # names every mistake; then reload again"
                    : "correct that, then reload again"
            )
        ]
    }

    private var vault: [StatusProblem] {
        vaultErrors.map { error in
            StatusProblem(
                .error,
                .vaultUnreadable,
                "\(error)",
                remedy: "paraph doctor \(option)   # looks at the vault and its key"
            )
        } + unseenChanges + keys
    }

    private var unseenChanges: [StatusProblem] {
        // What cannot be read is told by itself.
        guard status.store.reachable, let since = status.store.interruptedSince else { return [] }
        let reason = status.store.interruption.map { ": \($0)" } ?? ""
        return [
            StatusProblem(
                .warning,
                .changesUnseen,
                "what other replicas store in the vault has not been seen since \(UTCText.format(since))\(reason)",
                remedy: "paraph doctor \(option)   # looks at each server of etcd"
            )
        ]
    }

    private var keys: [StatusProblem] {
        let giveKey = "put the new key where vault.key has the old one, then reload (pkill -HUP -x paraph)"
        return switch status.store.key {
        case nil, .current: []
        case .new:
            [
                StatusProblem(
                    .warning,
                    .rekeyUnfinished,
                    "the vault is being re-keyed: until that is finished, its old key opens it as well",
                    remedy: "paraph accounts rekey --finish \(option)   # when every proxy has the new key"
                )
            ]
        case .old:
            [
                StatusProblem(
                    .warning,
                    .rekeyUnfinished,
                    "the vault is being re-keyed, and this proxy's configuration has the old key",
                    remedy: giveKey
                )
            ]
        case .dead:
            [
                StatusProblem(
                    .warning,
                    .vaultKeyReplaced,
                    "the vault was re-keyed, and this proxy's configuration has the old key, which opens nothing any more: "
                        + "the proxy goes on until it is stopped, and is not ready when it is started again",
                    remedy: giveKey
                )
            ]
        }
    }

    private var usage: [StatusProblem] {
        var problems: [StatusProblem] = []
        let usage = status.usage
        func note(_ amount: UsageStatus.Amount, _ kind: StatusProblem.Kind, _ what: String, remedy: String) {
            guard let limit = amount.limit, amount.used * 10 >= limit * 9 else { return }
            let isUsedUp = amount.used >= limit
            problems.append(
                StatusProblem(
                    isUsedUp ? .error : .warning,
                    kind,
                    "\(amount.used) of \(limit) \(what) are in use"
                        + (isUsedUp ? ": newcomers are answered with 503" : ""),
                    remedy: remedy
                )
            )
        }
        let raise = "raise the limit on open files (LimitNOFILE= of a systemd unit, ulimit -Hn in a shell)"
        note(
            usage.clientConnections,
            .connectionsUsedUp,
            "client connections",
            remedy: "raise limits.connections, or see in the log who has them"
        )
        note(usage.openConnections, .connectionsUsedUp, "open connections", remedy: raise)
        note(usage.heldBytes, .heldBytesUsedUp, "bytes for requests to be held in", remedy: "raise limits.collected")
        if let filesWarning { problems.append(StatusProblem(.warning, .filesTooFew, filesWarning, remedy: raise)) }
        if hasJustLostLines {
            problems.append(
                StatusProblem(
                    .warning,
                    .logLinesDropped,
                    "log lines were lost within the last hour, \(usage.droppedLogLines) since the start: standard "
                        + "error was not read in time, or could not be written",
                    remedy: "see who reads it, and whether its disk is full"
                )
            )
        }
        return problems
    }

    // MARK: Accounts

    private var accounts: [StatusProblem] {
        status.accounts.compactMap { account in
            let name = CredentialName(api: account.api, account: account.account)
            func problem(
                _ severity: StatusProblem.Severity,
                _ kind: StatusProblem.Kind,
                _ message: String,
                remedy: String
            ) -> StatusProblem {
                StatusProblem(
                    severity,
                    kind,
                    api: account.api,
                    account: account.account,
                    "account \(name) \(message)",
                    remedy: remedy
                )
            }
            switch account.state {
            case .needsLogin:
                let reason = account.detail.map { ": \($0)" } ?? " yet"
                let login = LoginCommand.text(api: account.api, account: account.account)
                return problem(.error, .accountNeedsLogin, "has no token\(reason)", remedy: "\(login) \(option)")
            case .unusable:
                return problem(
                    .error,
                    .accountUnusable,
                    "cannot use what the vault holds for it: \(account.detail ?? "")",
                    remedy: putBack.contains(name)
                        ? "paraph accounts remove \(option) \(arguments(name))   # \(sequel(of: account.source))"
                        : "paraph accounts show \(option) \(arguments(name))"
                )
            case .failing, .ready, .expired, .notYet, .unknown:
                guard let last = account.lastExchange, last.result == .failed else { return nil }
                let isReady = account.state == .ready
                return problem(
                    isReady ? .warning : .error,
                    .exchangeFailed,
                    (isReady ? "has a token, but could not renew it" : "has no token that is valid")
                        + ": \((last.detail ?? "").prefix { $0 != "\n" })",
                    remedy: "see to what the sentence above says; the next request that needs a token tries again"
                )
            }
        }
    }

    /// Returns a sentence on what gets the account another credential once it has none.
    private func sequel(of source: AccountStatus.Source) -> String {
        switch source {
        case .enrolment: "then have it enrolled again"
        case .threeLegged: "then log in again (paraph login)"
        case .issued, .bearer, .twoLegged, .reverseAuth, .xAuth, .password: "the next request gets a new token"
        }
    }

    private func arguments(_ name: CredentialName) -> String {
        "\(name.api.hasPrefix("-") ? "-- " : "")\(shellQuoted("\(name.api)/\(name.account)"))"
    }

    // MARK: Certificates, pins and clocks

    private var authorityProblems: [StatusProblem] {
        let renewal =
            if authorityIsRenewed {
                "pkill -HUP -x paraph   # it was renewed already: have the proxy take it, and give clients the new certificate"
            } else if authorityIsParaphs {
                "paraph ca renew \(option)   # and give clients the new certificate"
            } else {
                "have its certificate made anew where it was made"
            }
        return expiry(status.authority.expires, .authorityExpires, "the local CA", remedy: renewal)
            + reachSentences.map { StatusProblem(.error, .authorityReach, $0, remedy: renewal) }
    }

    private var listeners: [StatusProblem] {
        status.listeners.flatMap { listener in
            expiry(
                listener.certificateExpires,
                .listenerCertificateExpires,
                "the certificate of the listener \(listener.address)",
                remedy: "put a new one into listen.proxy.certificate"
            )
        }
    }

    private var apis: [StatusProblem] {
        status.apis.flatMap { api in
            expiry(
                api.clientCertificateExpires,
                .clientCertificateExpires,
                api: api.name,
                "the client certificate of apis.\(api.name)",
                remedy: "put a new one into apis.\(api.name).tls.client_certificate"
            ) + api.pins.flatMap { expiredPins($0, of: api) } + backups(of: api) + clocks(of: api)
        }
    }

    private func expiredPins(_ pins: PinStatus, of api: APIStatus) -> [StatusProblem] {
        guard let expires = pins.expires, expires.timeIntervalSince(status.time) < Self.warningTime else { return [] }
        let hosts = pins.hosts.isEmpty ? "" : " for \(pins.hosts.joined(separator: ", "))"
        let hasExpired = expires <= status.time
        let isRefused = pins.onFailure != "report" && pins.onExpiry != "report"
        let effect =
            isRefused
            ? "servers without a pin are refused as before"
            : "servers without a pin are used\(hasExpired ? "" : " then")"
        return [
            StatusProblem(
                .warning,
                .pinsExpire,
                api: api.name,
                "the pins of apis.\(api.name)\(hosts) \(hasExpired ? "have expired" : "expire") on "
                    + "\(UTCText.format(expires)): \(effect)",
                remedy: "paraph pins \(shellQuoted(pins.hosts.first ?? api.hosts.first ?? api.name))   "
                    + "# then bring the pins and their expiry up to date"
            )
        ]
    }

    private func backups(of api: APIStatus) -> [StatusProblem] {
        api.hostsWithoutBackupPin.map { host in
            StatusProblem(
                .warning,
                .noBackupPin,
                api: api.name,
                "every pin of apis.\(api.name) is of the chain that \(host) has now: when its key changes, the API is "
                    + "cut off",
                remedy: "paraph pins \(shellQuoted(host))   # then pin a key that is kept in reserve, too"
            )
        }
    }

    private func clocks(of api: APIStatus) -> [StatusProblem] {
        guard let offset = api.clock?.offsetSeconds, offset.magnitude > Self.clockTolerance else { return [] }
        return [
            StatusProblem(
                .warning,
                .clockApart,
                api: api.name,
                "the clock of the provider of apis.\(api.name) is \(offset.magnitude) s "
                    + "\(offset > 0 ? "ahead of" : "behind") this machine's, and is followed",
                remedy: "timedatectl set-ntp true   # if it is this machine's that is wrong"
            )
        ]
    }

    private func expiry(
        _ expires: Date?,
        _ kind: StatusProblem.Kind,
        api: String? = nil,
        _ what: String,
        remedy: String
    ) -> [StatusProblem] {
        guard let expires, expires.timeIntervalSince(status.time) < Self.warningTime else { return [] }
        let hasExpired = expires <= status.time
        return [
            StatusProblem(
                hasExpired ? .error : .warning,
                kind,
                api: api,
                "\(what) \(hasExpired ? "has expired" : "expires") on \(UTCText.format(expires))",
                remedy: remedy
            )
        ]
    }

    // MARK: Many of a kind

    /// A provider that is down fails every account: the first few say it, and how many more there are.
    private func abridged(_ problems: [StatusProblem]) -> [StatusProblem] {
        struct Group: Hashable {
            let severity: StatusProblem.Severity
            let kind: StatusProblem.Kind
            let api: String?
        }
        var counts: [Group: Int] = [:]
        var told: [StatusProblem] = []
        for problem in problems {
            let group = Group(severity: problem.severity, kind: problem.kind, api: problem.api)
            counts[group, default: 0] += 1
            if counts[group, default: 0] <= Self.mostOfAKind { told.append(problem) }
        }
        for (group, count) in counts where count > Self.mostOfAKind {
            guard let last = told.lastIndex(where: { $0.kind == group.kind && $0.api == group.api }) else { continue }
            let subject = group.api.map { " of apis.\(condensed($0, limit: 100))" } ?? ""
            let more = StatusProblem(
                group.severity,
                group.kind,
                api: group.api,
                "so it is with \(count - Self.mostOfAKind) more\(subject)",
                remedy: "paraph status --json \(option)   # has them all, under accounts"
            )
            told.insert(more, at: last + 1)
        }
        return told
    }
}
