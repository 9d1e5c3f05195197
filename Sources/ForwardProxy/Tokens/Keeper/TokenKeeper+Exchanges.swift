import Credentials
import Logging
import NIOCore
import Settings
import Synchronization

// MARK: - Running an exchange

extension TokenKeeper {
    func carryOut(_ job: Job) async {
        let api = apis[job.reference.api]
        let name = CredentialName(api: api.settings.name, account: job.account.name)
        await locks.withLock(name) { await carryOut(job, api, name) }
    }

    private func carryOut(_ job: Job, _ api: APIContext, _ name: CredentialName) async {
        let exchange = AccountExchange(job: job, api: api, name: name)
        do throws(ExchangeFailure) {
            try await runInTurn(exchange)
        } catch {
            let kind = exchange.kind
            if error != .removed {
                lastExchanges.note(LastExchange(time: clock.coarseWallSeconds, kind: kind, failure: error), of: name)
            }
            var metadata = Self.metadata(name, kind)
            metadata["step"] = "\(error.step)"
            metadata["detail"] = "\(error.detail.prefix { !$0.isNewline })"
            logger.error("token exchange failed", metadata: metadata)
            fail(job.reference, error)
        }
    }

    /// Runs an exchange when it is this account's turn, or finds that somebody else has. Whoever waits for its token has it
    /// then.
    private func runInTurn(_ exchange: AccountExchange) async throws(ExchangeFailure) {
        let (job, name) = (exchange.job, exchange.name)
        while true {
            let epoch = held.epoch
            let outcome: TurnOutcome<Result<Void, TurnFailure>>
            do throws(VaultError) {
                try await writeUnwritten(of: name)
                outcome = try await vault.withTurn(for: name) { stored, isNew in
                    self.usable(stored, as: job.reference).map { self.isOfUse($0, isNew: isNew, to: job) } ?? false
                } _: { turn in
                    await self.run(exchange, in: turn, epoch)
                }
                metrics.vault(.load, failed: false)
            } catch {
                metrics.vault(.load, failed: true)
                guard error.isUnavailability else { throw ExchangeFailure(error) }
                if let known = earlierCredential(of: job.reference), isOfUse(known, isNew: false, to: job) {
                    return spare(exchange, known, isNew: false)
                }
                return try await runAlone(exchange, ExchangeFailure(error))
            }
            switch outcome {
            case .spared(let stored, let isNew):
                hold(stored, of: job.reference, epoch)
                return spare(exchange, stored, isNew: isNew)
            case .taken(.success): return
            case .taken(.failure(.failed(let failure))) where failure.cause == .storeUnavailable && !failure.wasSent:
                return try await runAlone(exchange, failure)
            case .taken(.failure(.failed(let failure))): throw failure
            case .taken(.failure(.turnLost)): continue
            }
        }
    }

    private func spare(_ exchange: AccountExchange, _ stored: StoredCredential, isNew: Bool) {
        lastExchanges.forgetFailure(of: exchange.name)
        succeed(exchange.job.reference, stored.token, obtainedAt: isNew ? stored.obtainedAt : nil)
    }

    private func succeed(_ exchange: AccountExchange, _ obtained: StoredCredential, after epoch: UInt64 = 0) {
        let kind = exchange.kind ?? .password
        logger.info("token obtained by \(kind.name)", metadata: Self.metadata(exchange.name, kind))
        lastExchanges.note(LastExchange(time: clock.coarseWallSeconds, kind: kind), of: exchange.name)
        succeed(exchange.job.reference, obtained.token, after: epoch)
    }

    /// Keeps the log-in of an enrolled account, which could have no other token without it once the store is away. It
    /// was read before the exchange, but a change that was told before there was one has had it forgotten.
    private func hold(_ credential: StoredCredential, of reference: AccountReference, _ epoch: UInt64) {
        if case .enrolled = reference { held.remember(credential, of: reference, epoch: epoch) }
    }

    private func run(
        _ exchange: AccountExchange,
        in turn: any ExchangeTurn,
        _ epoch: UInt64
    ) async -> Result<Void, TurnFailure> {
        let (job, name) = (exchange.job, exchange.name)
        exchange.beginTurn()
        do throws(TurnFailure) {
            let stored = usable(turn.stored, as: job.reference)
            if case .enrolled = job.reference, stored == nil { throw .failed(.removed) }
            if case .access(let access) = stored?.token, access.refreshTokenUse == .begun {
                logger.notice(
                    "the refresh token may have been used before, without an answer: it is not sent again",
                    metadata: Self.metadata(name, nil)
                )
            }
            let credential: StoredCredential
            do throws(ExchangeFailure) {
                credential = try await obtain(exchange, stored) { request throws(ExchangeFailure) in
                    try await self.permit(request, of: exchange, stored, in: turn)
                } mayBeSent: {
                    turn.end == nil
                }
            } catch {
                if !error.wasSent, !exchange.mayHaveSentRefreshToken { await withdraw(stored, in: turn) }
                if error == .turnOver { throw .turnLost }
                switch turn.end {
                case .lost: throw .turnLost
                case .timedOut(let limit): throw .failed(error.timedOut(after: limit))
                case nil: throw .failed(error)
                }
            }
            // What was changed before the storing was looked at by that.
            let storing = held.epoch
            try await store(credential, name, of: job, in: turn)
            hold(credential, of: job.reference, epoch)
            // Nobody waits for the end of the turn.
            succeed(exchange, credential, after: storing)
            return .success(())
        } catch {
            return .failure(error)
        }
    }

    /// Notes what may be used once as used, before the request of an exchange that uses it is sent.
    private func permit(
        _ request: ExchangeRequest,
        of exchange: AccountExchange,
        _ stored: StoredCredential?,
        in turn: any ExchangeTurn
    ) async throws(ExchangeFailure) {
        exchange.nextRequest()
        guard turn.end == nil else { throw .turnOver }
        guard !request.isRepeatable, let stored, let begun = stored.withRefreshBegun else { return }
        let isNoted: Bool
        do throws(VaultError) {
            isNoted = try await turn.change { $0 == stored ? .store(begun) : .keep }
        } catch {
            if case .turnLost = error { throw .turnOver }
            var failure = ExchangeFailure(error)
            failure.wasSent = false
            throw failure
        }
        guard isNoted, turn.end == nil else { throw .turnOver }
        exchange.permitRefreshToken()
    }

    /// Takes back the note that a token is used, which has not been sent.
    private func withdraw(_ stored: StoredCredential?, in turn: any ExchangeTurn) async {
        guard let stored, let begun = stored.withRefreshBegun else { return }
        _ = try? await turn.change { $0 == begun ? .store(stored) : .keep }
    }

    /// Runs an exchange without the store, which is away: by what may be repeated. A refresh token that may be used once
    /// is left alone, since another replica may have used it, or be about to.
    private func runAlone(
        _ exchange: AccountExchange,
        _ absence: ExchangeFailure
    ) async throws(ExchangeFailure) {
        let (job, name) = (exchange.job, exchange.name)
        var known =
            held.credential(of: job.reference) ?? earlierCredential(of: job.reference)
            ?? held.doubted(of: job.reference)
        if let replaced = job.replaced {
            known = known ?? StoredCredential(token: replaced, obtainedAt: 0)
            known?.token = replaced
        }
        if case .enrolled = job.reference, known == nil { throw absence }
        let usable = known?.withRefreshBegun ?? known
        let credential = try await obtain(exchange, usable) { request throws(ExchangeFailure) in
            guard request.isRepeatable else { throw absence }
        }
        writeLater(credential, of: name, replacing: known?.token)
        succeed(exchange, credential)
    }

    private func obtain(
        _ exchange: AccountExchange,
        _ stored: StoredCredential?,
        permit: @escaping @Sendable (ExchangeRequest) async throws(ExchangeFailure) -> Void,
        mayBeSent: @escaping @Sendable () -> Bool = { true }
    ) async throws(ExchangeFailure) -> StoredCredential {
        let (job, api) = (exchange.job, exchange.api)
        guard let steps = TokenExchange(job.account, scheme: api.settings.scheme, stored: stored) else {
            throw ExchangeFailure(step: "token exchange", status: nil, words: "", cause: .settings)
        }
        let conversation = job.transport.conversation(
            with: api,
            at: job.reference.api,
            correctsClock: api.oauth1(of: job.reference)?.correctsClock ?? false,
            logger: logger,
            permit: permit,
            mayBeSent: mayBeSent
        )
        var credential = try await run(steps, in: conversation, of: exchange)
        credential.fingerprint = api.binding(of: job.reference).map(BindingFingerprint.init)
        return credential
    }

    private static func metadata(_ name: CredentialName, _ kind: ExchangeKind?) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["api": "\(name.api)", "account": "\(name.account)"]
        if let kind { metadata["kind"] = "\(kind.rawValue)" }
        return metadata
    }

    private func run(
        _ steps: TokenExchange,
        in conversation: ProviderConversation,
        of exchange: AccountExchange
    ) async throws(ExchangeFailure) -> StoredCredential {
        let start = clock.now
        var steps = steps
        defer { exchange.kind = steps.kind }
        do throws(ExchangeFailure) {
            let credential = try await conversation.run(&steps).get()
            metrics.exchanged(exchange.name, steps.kind, result: TokenMetrics.success, in: clock.now - start)
            return credential
        } catch {
            metrics.exchanged(exchange.name, steps.kind, result: error.label, in: clock.now - start)
            throw error
        }
    }

    /// Returns whether what is stored spares the exchange: it is not the token that is to be replaced, and not over.
    ///
    /// - Parameter isNew: Whether it was stored just now: whoever did so may have a clock that is apart from this one.
    private func isOfUse(_ stored: StoredCredential, isNew: Bool, to job: Job) -> Bool {
        guard !stored.token.authorizes(as: job.replaced) else { return false }
        guard !isNew else { return true }
        guard case .access(let access) = stored.token, let expiresAt = access.expiresAt else { return true }
        return Int64(clamping: expiresAt) > clock.coarseWallSeconds
    }
}

/// An exchange that is run for an account.
private final class AccountExchange: Sendable {
    let job: TokenKeeper.Job
    let api: APIContext
    let name: CredentialName
    private let lastKind = Mutex<ExchangeKind?>(nil)
    private let refresh = Mutex(Refresh.none)

    private enum Refresh {
        case none
        /// The last request had it, with leave.
        case permitted
        /// A request before the last one did.
        case past
    }

    init(job: TokenKeeper.Job, api: APIContext, name: CredentialName) {
        self.job = job
        self.api = api
        self.name = name
    }

    func beginTurn() { refresh.withLock { $0 = .none } }

    /// A request is to be sent after the one before, which has been, whatever came of it.
    func nextRequest() { refresh.withLock { if $0 == .permitted { $0 = .past } } }

    /// The request that is to be sent now has the refresh token, which may be sent once.
    func permitRefreshToken() { refresh.withLock { $0 = .permitted } }

    /// Indicates whether the refresh token may have been sent even if the last request was not.
    var mayHaveSentRefreshToken: Bool { refresh.withLock { $0 == .past } }

    /// That of the last request; nil until one is begun.
    var kind: ExchangeKind? {
        get { lastKind.withLock { $0 } }
        set { lastKind.withLock { $0 = newValue } }
    }
}

extension AuthorizationScheme {
    /// Returns whether a credential is of the kind that requests are authorized with: the configuration may have
    /// changed since it was stored.
    func fits(_ credential: StoredCredential) -> Bool {
        switch (self, credential.token) {
        case (.oauth1, .oauth1), (.oauth2, .access), (.bearer, .access): true
        case (.oauth1, .access), (.oauth2, .oauth1), (.bearer, .oauth1): false
        }
    }
}

extension Problem {
    /// The answer to a request whose account's token could not be had.
    init(_ failure: ExchangeFailure) {
        let status = failure.status.map { ", status \($0)" } ?? ""
        let words = failure.words.prefix { !$0.isNewline }
        let isAway = failure.cause == .storeUnavailable
        self.init(
            status: isAway ? 503 : 502,
            token: .httpRequestDenied,
            detail: failure.detail,
            summary: "\(failure.step)\(status): \(words.isEmpty ? failure.sentence[...] : words)",
            retryAfter: failure.retryAfter ?? (isAway ? 1 : nil)
        )
        cause = failure.label
    }
}
