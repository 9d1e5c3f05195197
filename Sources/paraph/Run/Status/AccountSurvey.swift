import AdminServer
import Credentials
import ForwardProxy
import FoundationEssentials
import ParaphConfiguration
import Routing
import Settings

/// The accounts of a configuration and of its vault.
struct AccountSurvey {
    /// The number of enrolled accounts that are told.
    static let enrolledLimit = 256

    private let accounts: [(name: CredentialName, source: AccountStatus.Source)]
    /// The accounts that the configuration does not name.
    let enrolled: [CredentialName]
    /// The number of enrolled accounts that are not told.
    let leftOut: Int

    /// - Parameters:
    ///   - stored: The names of the vault.
    ///   - preferred: The enrolled accounts that are not left out as long as others can be.
    ///   - unlisted: The number of records of the vault whose names are not known.
    init(
        _ configuration: Configuration,
        stored: [CredentialName],
        preferring preferred: Set<CredentialName>,
        unlisted: Int = 0
    ) {
        let configured = Self.configured(configuration)
        let named = Set(configured.map(\.name))
        let apis = Set(configuration.proxy.apis.filter(\.route.acceptsEnrolled).map(\.name))
        let others = stored.filter { apis.contains($0.api) && !named.contains($0) }
        var chosen = Set(others.lazy.filter(preferred.contains).prefix(Self.enrolledLimit))
        for name in others where chosen.count < Self.enrolledLimit { chosen.insert(name) }
        enrolled = others.filter(chosen.contains)
        leftOut = others.count - enrolled.count + unlisted
        accounts = configured + enrolled.map { ($0, .enrolment) }
    }

    /// One account, configured or enrolled.
    init(_ configuration: Configuration, account name: CredentialName) {
        let configured = Self.configured(configuration).first { $0.name == name }
        accounts = [configured ?? (name, .enrolment)]
        enrolled = configured == nil ? [name] : []
        leftOut = 0
    }

    private static func configured(
        _ configuration: Configuration
    ) -> [(name: CredentialName, source: AccountStatus.Source)] {
        configuration.proxy.apis.flatMap { api in
            api.accounts.map { account in
                (CredentialName(api: api.name, account: account.name), AccountStatus.Source(account.source))
            }
        }
    }

    /// The accounts whose credentials are kept in the vault.
    var keptInVault: [CredentialName] { accounts.filter(\.source.isObtained).map(\.name) }

    // MARK: Status

    /// - Parameters:
    ///   - entries: The vault's entries for ``keptInVault``.
    ///   - uses: The tokens that the proxy has in use, which may be newer than those that the vault held.
    ///   - exchanges: The last exchanges.
    func status(
        entries: [CredentialName: VaultEntry],
        uses: [CredentialName: TokenUse],
        exchanges: [CredentialName: LastExchange],
        now: Date
    ) -> [AccountStatus] {
        accounts.compactMap { name, source in
            let entry = entries[name]
            // An enrolled account is what the vault holds of it.
            if source == .enrolment, case .missing = entry { return nil }
            let use = uses[name]
            var status = AccountStatus(
                api: name.api,
                account: name.account,
                source: source,
                state: .ready,
                waiting: use?.waiting ?? 0,
                waiters: (use?.waiters ?? []).map { WaiterStatus($0) },
                lastExchange: exchanges[name].map { ExchangeStatus($0) }
            )
            guard let entry else { return status }
            if let use, use.hasToken {
                status.expires = use.expiresAt.map { Date(seconds: $0) }
            } else {
                switch entry {
                case .token(_, let expires): status.expires = expires
                case .missing: status.state = Self.stateWithoutToken(status)
                case .outdated(let reason):
                    status.detail = reason
                    status.state = source == .enrolment ? .unusable : Self.stateWithoutToken(status)
                case .unreadable(let reason, isPutBack: _):
                    status.detail = reason
                    status.state = .unusable
                case .unknown(let reason):
                    status.detail = reason
                    status.state = status.lastExchange?.result == .failed ? .failing : .unknown
                }
            }
            status.obtained = Self.obtained(status, entry, now: now)
            if status.state == .ready, let expires = status.expires, expires <= now {
                status.state = status.lastExchange?.result == .failed ? .failing : .expired
            }
            return status
        }
    }

    /// The token is the one that the vault holds, or, where it could not be stored, that of the last exchange.
    private static func obtained(_ status: AccountStatus, _ entry: VaultEntry, now: Date) -> Date? {
        guard status.state == .ready else { return nil }
        var times: [Date] = []
        if case .token(let obtained, _) = entry { times.append(obtained) }
        if let last = status.lastExchange, last.result == .succeeded { times.append(last.time) }
        // What is stored is by the provider's clock.
        return times.max().map { min($0, now) }
    }

    private static func stateWithoutToken(_ status: AccountStatus) -> AccountStatus.State {
        if status.source == .threeLegged { return .needsLogin }
        return status.lastExchange?.result == .failed ? .failing : .notYet
    }
}

extension WaiterStatus {
    fileprivate init(_ client: WaitingClient) {
        self.init(
            client: client.name,
            address: client.address,
            requests: client.requests,
            since: Date(timeIntervalSince1970: TimeInterval(client.since))
        )
    }
}

extension AccountStatus.Source {
    fileprivate init(_ source: TokenSource) {
        self =
            switch source {
            case .issued: .issued
            case .bearer: .bearer
            case .twoLegged: .twoLegged
            case .reverseAuth: .reverseAuth
            case .xAuth: .xAuth
            case .password: .password
            case .threeLegged: .threeLegged
            }
    }

    /// Indicates whether its tokens are obtained, and kept in the vault.
    fileprivate var isObtained: Bool {
        switch self {
        case .issued, .bearer, .twoLegged: false
        case .reverseAuth, .xAuth, .password, .threeLegged, .enrolment: true
        }
    }
}

extension ExchangeStatus {
    fileprivate init(_ exchange: LastExchange) {
        let time = Date(timeIntervalSince1970: TimeInterval(exchange.time))
        guard let failure = exchange.failure else {
            self.init(time: time, kind: exchange.kind?.rawValue, result: .succeeded)
            return
        }
        self.init(
            time: time,
            kind: exchange.kind?.rawValue,
            result: .failed,
            reason: failure.label,
            detail: failure.detail
        )
    }
}

extension Date {
    fileprivate init(seconds: UInt64) {
        self.init(timeIntervalSince1970: TimeInterval(seconds))
    }
}
