import Credentials
import Logging
import NIOCore
import Settings

// MARK: - Running an exchange

extension TokenKeeper {
    func carryOut(_ job: Job) async {
        let api = apis[job.reference.api]
        let name = CredentialName(api: api.settings.name, account: job.account.name)
        await locks.withLock(name) { await carryOut(job, api, name) }
    }

    private func carryOut(_ job: Job, _ api: APIContext, _ name: CredentialName) async {
        // That of the last request; nil until one is begun.
        var kind: ExchangeKind?
        do throws(ExchangeFailure) {
            let stored = usable(try await load(name), as: job.reference)
            if case .enrolled = job.reference, stored == nil { throw .removed }
            if let stored, isOfUse(stored, to: job) {
                lastExchanges.forgetFailure(of: name)
                return succeed(job.reference, stored.token)
            }
            guard let exchange = TokenExchange(job.account, scheme: api.settings.scheme, stored: stored) else {
                throw ExchangeFailure(step: "token exchange", status: nil, words: "", cause: .settings)
            }
            let conversation = job.transport.conversation(
                with: api,
                at: job.reference.api,
                correctsClock: api.oauth1(of: job.reference)?.correctsClock ?? false,
                logger: logger
            )
            var credential = try await run(exchange, in: conversation, of: name, kind: &kind)
            credential.fingerprint = api.binding(of: job.reference).map(BindingFingerprint.init)
            try await store(credential, name, of: job)
            logger.info(
                "token obtained by \((kind ?? exchange.kind).name)",
                metadata: Self.metadata(name, kind)
            )
            lastExchanges.note(LastExchange(time: clock.coarseWallSeconds, kind: kind), of: name)
            succeed(job.reference, credential.token)
        } catch {
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

    private static func metadata(_ name: CredentialName, _ kind: ExchangeKind?) -> Logger.Metadata {
        var metadata: Logger.Metadata = ["api": "\(name.api)", "account": "\(name.account)"]
        if let kind { metadata["kind"] = "\(kind.rawValue)" }
        return metadata
    }

    private func run(
        _ exchange: TokenExchange,
        in conversation: ProviderConversation,
        of name: CredentialName,
        kind: inout ExchangeKind?
    ) async throws(ExchangeFailure) -> StoredCredential {
        let start = clock.now
        var exchange = exchange
        defer { kind = exchange.kind }
        do throws(ExchangeFailure) {
            let credential = try await conversation.run(&exchange).get()
            metrics.exchanged(name, exchange.kind, result: TokenMetrics.success, in: clock.now - start)
            return credential
        } catch {
            metrics.exchanged(name, exchange.kind, result: error.label, in: clock.now - start)
            throw error
        }
    }

    /// Returns whether what the vault holds spares the exchange: it is not the token that is to be replaced, and not
    /// over.
    private func isOfUse(_ stored: StoredCredential, to job: Job) -> Bool {
        guard stored.token != job.replaced else { return false }
        guard case .access(let access) = stored.token, let expiresAt = access.expiresAt else { return true }
        return Int64(clamping: expiresAt) > clock.coarseWallSeconds
    }

    // MARK: Vault

    func load(_ name: CredentialName) async throws(ExchangeFailure) -> StoredCredential? {
        do throws(VaultError) {
            return try await loadStored(name)
        } catch {
            throw ExchangeFailure(step: "reading the vault", status: nil, words: "\(error)", cause: .vaultUnreadable)
        }
    }

    /// Reads what the vault holds for an account.
    func loadStored(_ name: CredentialName) async throws(VaultError) -> StoredCredential? {
        do throws(VaultError) {
            let credential = try await vault.load(name)
            metrics.vault(.load, failed: false)
            return credential
        } catch {
            metrics.vault(.load, failed: true)
            throw error
        }
    }

    /// A token that cannot be stored is used all the same: it is good until the process ends. So is one of an account
    /// that was enrolled before the configuration named it: what was enrolled nobody but its owner can bring again, and
    /// it is for a person to remove.
    ///
    /// - Throws: When it is of an account that was enrolled, and was removed or enrolled anew while the exchange ran.
    private func store(
        _ credential: StoredCredential,
        _ name: CredentialName,
        of job: Job
    ) async throws(ExchangeFailure) {
        var isRemoved = false
        do throws(VaultError) {
            if case .enrolled = job.reference {
                isRemoved = try await !vault.replace(name, with: credential) { $0.isEnrolled && $0.isOf(job.account) }
            } else {
                _ = try await vault.store(credential, for: name) { $0.isEnrolled }
            }
            metrics.vault(.store, failed: false)
        } catch {
            metrics.vault(.store, failed: true)
            logger.error(
                "a token could not be stored and will be asked for again after a restart",
                metadata: ["api": "\(name.api)", "account": "\(name.account)", "reason": "\(error)"]
            )
        }
        if isRemoved { throw .removed }
    }
}

extension StoredCredential {
    /// Returns whether it was enrolled with what the exchange was run with.
    fileprivate func isOf(_ account: AccountSettings) -> Bool {
        guard case .password(let login) = account.source else { return true }
        return self.login == login
    }
}

extension ExchangeFailure {
    /// The account is no more, or another one by now.
    fileprivate static let removed = ExchangeFailure(
        step: "reading the vault",
        status: nil,
        words: "the account was removed or enrolled anew meanwhile",
        cause: .vaultUnreadable
    )
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
        self.init(
            status: 502,
            token: .httpRequestDenied,
            detail: failure.detail,
            summary: "\(failure.step)\(status): \(words.isEmpty ? failure.label[...] : words)",
            retryAfter: failure.retryAfter
        )
        cause = failure.label
    }
}
