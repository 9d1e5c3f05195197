import Credentials
import Logging
import Synchronization

// MARK: - The store

extension TokenKeeper {
    /// The time from one attempt to write to the next.
    private static let writePause = Duration.seconds(1)

    /// Reads what the store has for an account.
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

    /// Stores what an exchange brought. What cannot be stored is used all the same: it is good until the process ends, and
    /// written later where the store is away. So is one of an account that was enrolled before the configuration named it:
    /// what was enrolled nobody but its owner can bring again, and it is for a person to remove.
    ///
    /// - Throws: ``TurnFailure/turnLost``, also when somebody else has stored something while the exchange ran, without a turn:
    ///   whoever logged in or enrolled the account anew, or a replica that had been without the store. That is the account's
    ///   token: others may use it by now, while nobody has had this one. ``ExchangeFailure/removed`` when the account was
    ///   removed, or is another one now.
    func store(
        _ credential: StoredCredential,
        _ name: CredentialName,
        of job: Job,
        in turn: any ExchangeTurn
    ) async throws(TurnFailure) {
        var isStored = true
        let isChanged = Mutex(false)
        do throws(VaultError) {
            isStored = try await turn.change { stored in
                switch job.reference {
                case .enrolled:
                    guard let stored, stored.isEnrolled, stored.isOf(job.account) else { return .keep }
                case .configured: if let stored, stored.isEnrolled { return .keep }
                }
                guard let stored, stored != turn.stored, stored != turn.stored?.withRefreshBegun else {
                    return .store(credential)
                }
                isChanged.withLock { $0 = true }
                return .keep
            }
            metrics.vault(.store, failed: false)
        } catch {
            switch error {
            case .turnLost: throw .turnLost
            case _ where error.isUnavailability: writeLater(credential, of: name, replacing: turn.stored?.token)
            default: tellUnstored(name, error)
            }
            metrics.vault(.store, failed: true)
            // Somebody else's may be stored by now.
            if error.isUnavailability, turn.end == .lost { throw .turnLost }
        }
        if isStored { return }
        if isChanged.withLock({ $0 }) { throw .turnLost }
        if case .enrolled = job.reference { throw .failed(.removed) }
    }

    /// Writes what could not be written for an account, before what is stored is looked at: that is older.
    ///
    /// - Throws: When the store is away still.
    func writeUnwritten(of name: CredentialName) async throws(VaultError) {
        guard let entry = unwritten.entry(of: name) else { return }
        try await write(entry, of: name)
    }

    /// Keeps a credential to be written when the store is back.
    func writeLater(_ credential: StoredCredential, of name: CredentialName, replacing replaced: AccountToken?) {
        unwritten.add(credential, of: name, replacing: replaced)
    }

    /// Writes what could not be written before, until all of it is or no request will ask for a token any more.
    func writeUnwritten() async {
        guard state.withLock({ $0.beginWriting() }) else { return }
        while hasUnwritten() {
            for (name, entry) in unwritten.all { try? await write(entry, of: name) }
            if unwritten.isEmpty { continue }
            let isOver = state.withLock { $0.isFinishing }
            guard !isOver, (try? await Task.sleep(for: Self.writePause)) != nil else {
                return state.withLock { $0.endWriting() }
            }
        }
    }

    /// Returns whether anything is to be written; else the writing is over. What is added after that begins it anew.
    private func hasUnwritten() -> Bool {
        state.withLock { state in
            let isOver = unwritten.isEmpty
            if isOver { state.endWriting() }
            return !isOver
        }
    }

    /// - Throws: When the store is away still.
    private func write(_ entry: UnwrittenCredentials.Entry, of name: CredentialName) async throws(VaultError) {
        let credential = entry.credential
        do throws(VaultError) {
            let displacement = Mutex<Displacement?>(nil)
            let isWritten = try await vault.change(name) { stored in
                displacement.withLock { $0 = stored == nil ? .removed : .replaced }
                if let stored {
                    // This proxy has written it already: twice at once, or without an answer.
                    if stored.token == credential.token { displacement.withLock { $0 = nil } }
                } else if credential.isEnrolled {
                    return .keep
                }
                return entry.replaces(stored) ? .store(credential) : .keep
            }
            unwritten.remove(credential, of: name)
            metrics.vault(.store, failed: false)
            if !isWritten, let displacement = displacement.withLock({ $0 }) { newDisplaced.yield((name, displacement)) }
        } catch {
            if error.isUnavailability { throw error }
            metrics.vault(.store, failed: true)
            unwritten.remove(credential, of: name)
            tellUnstored(name, error)
        }
    }

    private func tellUnstored(_ name: CredentialName, _ error: VaultError) {
        logger.error(
            "a token could not be stored and will be asked for again after a restart",
            metadata: ["api": "\(name.api)", "account": "\(name.account)", "reason": "\(error)"]
        )
    }
}

/// A change that others have made meanwhile to an account whose token, obtained while the store was away, is not
/// stored.
enum Displacement: Sendable {
    /// They have stored another one.
    case replaced
    /// They have removed what was stored.
    case removed
}

/// The reason why an exchange in a turn has brought nothing.
enum TurnFailure: Error, Sendable {
    case failed(ExchangeFailure)
    /// Somebody else has a turn, whose token is the account's.
    case turnLost
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
    static let removed = ExchangeFailure(
        step: "reading the vault",
        status: nil,
        words: "the account was removed or enrolled anew meanwhile",
        cause: .vaultUnreadable
    )

    /// Somebody else may exchange for the account by now, or has changed what is stored.
    static let turnOver: ExchangeFailure = {
        var failure = ExchangeFailure(
            step: "token exchange",
            status: nil,
            words: "somebody else has changed what is stored",
            cause: .vaultUnreadable
        )
        failure.wasSent = false
        return failure
    }()

    /// The same exchange, which has taken as long as it may.
    func timedOut(after limit: Duration) -> ExchangeFailure {
        var failure = self
        failure.cause = .timedOut
        failure.words = "With a store that others share, an exchange has \(limit.components.seconds) s in all."
        return failure
    }

    /// The failure of an exchange for which the store could not be read, or not be written.
    init(_ error: VaultError) {
        self.init(
            step: "reading the vault",
            status: nil,
            words: "\(error)",
            cause: error.isUnavailability ? .storeUnavailable : .vaultUnreadable
        )
    }
}
