import Bytes
import Credentials
import Logging
import NIOCore
import Settings
import Synchronization

// MARK: - What others put into the vault

extension TokenKeeper {
    /// The number of credentials that are loaded at once when the vault has changed.
    private static let loadsAtOnce = 16
    /// The time from one look whether the store answers again to the next.
    private static let lookPause = Duration.milliseconds(200)

    /// Returns what the vault holds for an account, if the account may use it: it is of the kind that requests are
    /// authorized with, was enrolled if the configuration does not name the account, and was obtained under the
    /// settings of today. What may not be used is left where it is, and told once.
    func usable(_ stored: StoredCredential?, as reference: AccountReference) -> StoredCredential? {
        guard let stored else { return nil }
        guard mayUse(stored, as: reference) else {
            tellUnusable(stored, reference, apis[reference.api])
            return nil
        }
        return stored
    }

    func mayUse(_ stored: StoredCredential, as reference: AccountReference) -> Bool {
        let api = apis[reference.api]
        let isItsOwn = if case .enrolled = reference { stored.isEnrolled } else { true }
        guard isItsOwn, let binding = api.binding(of: reference) else { return false }
        return api.settings.scheme.fits(stored) && stored.isBound(to: binding)
    }

    private func tellUnusable(_ stored: StoredCredential, _ reference: AccountReference, _ api: APIContext) {
        let isNews = state.withLock { state in
            guard state.toldUnusable.value(for: reference) != stored.obtainedAt else { return false }
            state.toldUnusable.insert(stored.obtainedAt, for: reference)
            return true
        }
        guard isNews else { return }
        logger.warning(
            "the stored credential of an account is not used",
            metadata: [
                "api": "\(api.settings.name)", "account": "\(api.name(of: reference))",
                "reason": "\(stored.unusableReason(for: api.credentialUse(of: reference)))",
            ]
        )
    }

    /// The vault holds something else for these accounts, or nothing any more, or may do so.
    ///
    /// - Parameter references: Nil: for any account.
    /// - Returns: For each account, the generation of which prepared signers are up to date: older ones are not. Nil: none
    ///   of any account is.
    func vaultChanged(_ references: [AccountReference]?) async -> [AccountReference: UInt64]? {
        let names = references?.map { name(of: $0) }
        if let names { earlier.forget(names) } else { verifyEarlier() }
        let (forgotten, epoch) = held.forget(references)
        for name in names ?? [] { lastExchanges.forgetFailure(of: name) }
        let living = state.withLock { state in
            state.lifecycles.compactMap { reference, lifecycle in
                references?.contains(reference) ?? true ? (reference, lifecycle.known) : nil
            }
        }
        let changed = await withTaskGroup(of: (AccountReference, AccountToken?)?.self) { group in
            var changed: [AccountReference: AccountToken?] = [:]
            for (number, (reference, token)) in living.enumerated() {
                if number >= Self.loadsAtOnce, let found = await group.next(), let (reference, token) = found {
                    changed[reference] = .some(token)
                }
                group.addTask {
                    let isChanged = await self.isChanged(reference, token, forgotten: forgotten[reference], epoch)
                    return isChanged ? (reference, token) : nil
                }
            }
            for await found in group {
                if let (reference, token) = found { changed[reference] = .some(token) }
            }
            return changed
        }
        let now = clock.now.uptimeNanoseconds
        state.withLock { state in
            for (reference, token) in changed {
                // An exchange that has ended meanwhile brought what the vault holds.
                guard let lifecycle = state.lifecycles[reference], lifecycle.known == token else { continue }
                // What failed before need not fail with what this very account has now.
                let failure = lifecycle.failure(now: now)
                let isWaiting = references != nil && failure != nil || failure?.cause == .storeUnavailable
                if lifecycle.isIdle || isWaiting { state.lifecycles[reference] = nil }
            }
        }
        guard let references else { return nil }
        var current: [AccountReference: UInt64] = [:]
        for reference in references { current[reference] = .max }
        // Of the event loops, only those have the token that is known here which have asked for it since it was obtained.
        for (reference, _) in living where changed[reference] == nil {
            current[reference] = state.withLock { $0.lifecycles[reference]?.current?.generation } ?? 0
        }
        return current
    }

    /// Looks whether the vault holds another token than the one that is known here, or none any more.
    ///
    /// - Parameter forgotten: The credential that was held of the account.
    private func isChanged(
        _ reference: AccountReference,
        _ token: AccountToken?,
        forgotten: StoredCredential?,
        _ epoch: UInt64
    ) async -> Bool {
        let name = name(of: reference)
        do throws(VaultError) {
            try await writeUnwritten(of: name)
            // What is noted of a token's renewal changes nothing.
            guard let stored = try await loadStored(name) else { return true }
            // Without its log-in an enrolled account could have no other token once the store is away.
            if case .enrolled = reference, mayUse(stored, as: reference) {
                held.remember(stored, of: reference, epoch: epoch)
            }
            if stored.token.authorizes(as: token) { return false }
            // What is there for others only has not taken its place.
            if case .configured = reference, usable(stored, as: reference) == nil { return false }
            return true
        } catch {
            // One that is of no use now is told when its account is asked for next.
            guard error.isUnavailability else { return true }
            // What is known is used until the store is back.
            if let forgotten { held.remember(forgotten, of: reference, epoch: epoch) }
            compareLater(reference)
            return false
        }
    }

    /// What is known of an account is used although the store could not be asked what it holds.
    func compareLater(_ reference: AccountReference) {
        state.withLock { _ = $0.uncompared.insert(reference) }
        newUncompared.yield()
    }

    /// Waits until the store answers again, where it did not when it was to be asked what it holds for accounts.
    ///
    /// - Returns: Those accounts, once; nil: there are none, or the task is cancelled.
    func comparable() async -> [AccountReference]? {
        while let first = state.withLock({ $0.uncompared.first }) {
            do throws(VaultError) {
                _ = try await vault.load(name(of: first))
            } catch {
                if error.isUnavailability {
                    guard (try? await Task.sleep(for: Self.lookPause)) != nil else { return nil }
                    continue
                }
            }
            return state.withLock { state in
                defer { state.uncompared = [] }
                return Array(state.uncompared)
            }
        }
        return nil
    }
}
