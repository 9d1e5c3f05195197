import AdminServer
import Credentials
import ForwardProxy
import FoundationEssentials
import LocalAuthority
import ParaphConfiguration
import Settings
import Synchronization
import UpstreamTrust

/// The things that a running proxy tells of itself (`GET /status`).
///
/// Whoever asks while others are being answered gets their answer: however many ask, the vault is read for
/// one of them at most, and no request waits for that.
final class RunStatus: StatusSource {
    private struct State {
        var loaded: Date
        var lastReload: ReloadStatus?
        /// The number of log lines that were dropped by the last look, and when it was first seen.
        var dropped = 0
        var droppedAt: Date?
        var collection: Task<ServiceStatus, Never>?
    }

    /// The time for which lost log lines are among what is wrong.
    private static let lossIsToldFor: TimeInterval = 3600

    private let proxy: ProxyServer
    private let running: RunningConfiguration
    private let readiness: Readiness
    private let started: Date
    private let startedAt: ContinuousClock.Instant
    private let state: Mutex<State>

    /// - Parameter now: The time of the start.
    init(proxy: ProxyServer, running: RunningConfiguration, readiness: Readiness, now: Date = Date()) {
        self.proxy = proxy
        self.running = running
        self.readiness = readiness
        started = now
        startedAt = .now
        state = Mutex(State(loaded: now))
    }

    func note(_ result: ReloadResult) {
        let now = Date()
        state.withLock { state in
            switch result {
            case .applied:
                state.loaded = now
                state.lastReload = ReloadStatus(time: now, result: .applied)
            case .refused(let reason, let mistakes):
                state.lastReload = ReloadStatus(time: now, result: .refused, reason: reason, mistakes: mistakes)
            case .ending: break
            }
        }
    }

    func status() async -> ServiceStatus {
        let collection = state.withLock { state in
            if let present = state.collection { return present }
            let new = Task {
                let status = await collect()
                self.state.withLock { $0.collection = nil }
                return status
            }
            state.collection = new
            return new
        }
        return await collection.value
    }

    func account(_ name: CredentialName) async -> AccountStatus? {
        let (configuration, state) = running.current
        let survey = AccountSurvey(configuration, account: name)
        let entries = await entries(of: survey, configuration, state.vault.store)
        return survey.status(
            entries: entries,
            uses: proxy.tokenUses(enrolled: survey.enrolled, isStoreAway: entries[name]?.isUnknown == true),
            exchanges: proxy.lastExchanges,
            now: Date()
        ).first
    }

    private func collect() async -> ServiceStatus {
        let (configuration, proxyState) = running.current
        let vault = proxyState.vault.store
        let exchanges = proxy.lastExchanges
        let failing = Set(exchanges.filter { $0.value.failure != nil }.keys)
        let missing = await readiness.missing
        let known = AccountSurvey(configuration, stored: Array(exchanges.keys), preferring: failing).keptInVault
        let shared = await vault.state(knowing: known)
        let (listing, failure) = await listing(vault, unless: shared?.failure)
        // Those that fail are told of also where not every name is known.
        var stored = listing.names
        if listing.unlisted > 0 {
            stored = failing.union(stored).sorted { ($0.api, $0.account) < ($1.api, $1.account) }
        }
        let unavailability = listing.errors.first(where: \.isUnavailability)
        // What is known without the vault.
        if unavailability != nil { stored = proxy.accountsWithTokens }
        let survey = AccountSurvey(configuration, stored: stored, preferring: failing, unlisted: listing.unlisted)
        let entries = await entries(of: survey, configuration, vault, unless: unavailability)
        let connections = await proxy.upstreamConnections()
        let health = proxy.healthOfAPIs
        let now = Date()
        let accounts = survey.status(
            entries: entries,
            uses: proxy.tokenUses(enrolled: survey.enrolled, isStoreAway: unavailability != nil),
            exchanges: exchanges,
            now: now
        )
        let (loaded, lastReload) = state.withLock { ($0.loaded, $0.lastReload) }
        var status = ServiceStatus(
            time: now,
            version: BuildInformation.version,
            commit: BuildInformation.commit,
            started: started,
            uptimeSeconds: Int((ContinuousClock.now - startedAt).components.seconds),
            notReady: missing.map(\.rawValue),
            configuration: ConfigurationStatus(file: configuration.file, loaded: loaded, lastReload: lastReload),
            listeners: listeners(configuration),
            usage: usage,
            apis: APISurvey(
                clockOffsets: proxy.clockOffsets,
                connections: connections,
                hostsWithoutBackupPin: proxy.hostsWithoutBackupPin,
                health: health
            ).apis(of: configuration),
            accounts: accounts,
            accountsLeftOut: survey.leftOut,
            authority: AuthorityStatus(
                certificate: configuration.authority.certificate,
                sha256: proxyState.authority.fingerprint,
                expires: proxyState.authority.certificate.notValidAfter
            ),
            store: StoreStatus(
                kind: proxyState.vault.isRemote ? .etcd : .directory,
                name: proxyState.vault.name,
                failure: failure,
                shared,
                now: now
            ),
            problems: []
        )
        let authority = await authorityReport(configuration, proxyState, now: now, isStoreReadable: failure == nil)
        let search = ProblemSearch(
            status: status,
            authorityIsParaphs: authority.certificate.wasMadeByParaph,
            authorityIsRenewed: authority.isRenewed,
            reachSentences: authority.reachSentences,
            vaultErrors: listing.errors,
            putBack: Set(entries.filter { $0.value.isPutBack }.keys),
            filesWarning: DescriptorLimit(raisedFor: configuration.proxy.limits).warning,
            hasJustLostLines: hasJustLostLines(now: now),
            health: health,
            advice: configuration.warnings
        )
        status.problems = search.problems
        return status
    }

    /// Looks whether the local CA was renewed already only where something is wrong with the one that is served by.
    private func authorityReport(
        _ configuration: Configuration,
        _ state: ProxyState,
        now: Date,
        isStoreReadable: Bool
    ) async -> AuthorityReport {
        let served = state.authority.certificate
        let report = AuthorityReport(served, configuration: configuration, now: now)
        guard !report.sentences.isEmpty else { return report }
        var successor: AuthorityCertificate?
        if let shared = SharedAuthority(configuration, state.vault) {
            if isStoreReadable { successor = try? await shared.successor(of: served) }
        } else {
            let path = configuration.authority.certificate
            let here = try? await BlockingWork.run { try AuthorityCertificate.read(path: path) }
            successor = here?.fingerprint == served.fingerprint ? nil : here
        }
        return AuthorityReport(served, configuration: configuration, now: now, successor: successor)
    }

    private func listeners(_ configuration: Configuration) -> [ListenerStatus] {
        proxy.listenerAddresses.map { api, address in
            guard api == nil else { return ListenerStatus(.gateway, api: api, address: address.urlText) }
            let identity = configuration.proxy.identity
            return ListenerStatus(
                .proxy,
                address: address.urlText,
                tls: identity != nil,
                certificateExpires: identity?.expires
            )
        }
    }

    private var usage: UsageStatus {
        let use = proxy.sharedUse
        func amount(_ amount: SharedUse.Amount) -> UsageStatus.Amount {
            UsageStatus.Amount(used: amount.used, limit: amount.limit)
        }
        return UsageStatus(
            clientConnections: amount(use.clientConnections),
            openConnections: amount(use.openConnections),
            heldBytes: amount(use.heldBytes),
            droppedLogLines: LogSink.standardError.droppedLines
        )
    }

    private func hasJustLostLines(now: Date) -> Bool {
        let dropped = LogSink.standardError.droppedLines
        return state.withLock { state in
            if dropped > state.dropped {
                state.dropped = dropped
                state.droppedAt = now
            }
            return state.droppedAt.map { now.timeIntervalSince($0) < Self.lossIsToldFor } ?? false
        }
    }

    // MARK: Vault

    /// - Parameter failure: The reason why it need not be asked for one.
    /// - Returns: The listing, or the reason why there is none.
    private func listing(
        _ vault: any CredentialStore,
        unless failure: VaultError?
    ) async -> (VaultListing, failure: VaultError?) {
        do throws(VaultError) {
            if let failure { throw failure }
            let listing = try await vault.listing(limit: AccountSurvey.enrolledLimit)
            return (listing, nil)
        } catch {
            return (VaultListing(errors: [error]), error)
        }
    }

    /// Opens what the vault holds for the accounts, one after the other: requests read the vault meanwhile.
    ///
    /// - Parameter unavailability: The reason why it cannot be asked at all.
    private func entries(
        of survey: AccountSurvey,
        _ configuration: Configuration,
        _ vault: any CredentialStore,
        unless unavailability: VaultError? = nil
    ) async -> [CredentialName: VaultEntry] {
        var entries: [CredentialName: VaultEntry] = [:]
        for name in survey.keptInVault {
            entries[name] =
                if let unavailability {
                    VaultEntry(unavailability)
                } else {
                    await VaultEntry(name, in: vault, by: configuration)
                }
        }
        return entries
    }
}
