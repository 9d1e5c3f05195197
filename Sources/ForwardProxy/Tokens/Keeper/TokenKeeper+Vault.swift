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
    /// - Parameter references: The accounts; nil: any may be one of them.
    /// - Returns: For each account, the generation of which prepared signers are up to date: older ones are not. Nil: none
    ///   of any account is.
    func vaultChanged(_ references: [AccountReference]?) async -> [AccountReference: UInt64]? {
        let names = references?.map { name(of: $0) }
        if let names { earlier.forget(names) } else { verifyEarlier() }
        let (forgotten, epoch) = held.forget(references)
        for name in names ?? [] { lastExchanges.forgetFailure(of: name) }
        let living = state.withLock { state in
            let all = references ?? Array(state.lifecycles.keys)
            return all.compactMap { reference in state.lifecycles[reference].map { (reference, $0.known) } }
        }
        let comparisons = await withTaskGroup(of: (AccountReference, VaultComparison).self) { group in
            var comparisons: [AccountReference: VaultComparison] = [:]
            for (number, (reference, token)) in living.enumerated() {
                if number >= Self.loadsAtOnce, let (reference, comparison) = await group.next() {
                    comparisons[reference] = comparison
                }
                group.addTask {
                    (reference, await self.compare(reference, token, forgotten: forgotten[reference], epoch))
                }
            }
            for await (reference, comparison) in group { comparisons[reference] = comparison }
            return comparisons
        }
        for (reference, comparison) in comparisons {
            if conclude(comparison, of: reference, epoch, isOfAccount: references != nil) { compareLater(reference) }
        }
        guard let references else { return nil }
        var current: [AccountReference: UInt64] = [:]
        for reference in references { current[reference] = .max }
        // Of the event loops, only those have the token that is known here which have asked for it since it was obtained.
        for (reference, comparison) in comparisons where !comparison.isChanged {
            current[reference] = state.withLock { $0.lifecycles[reference]?.current?.generation } ?? 0
        }
        return current
    }

    /// - Parameters:
    ///   - epoch: The one that had begun before the vault was read.
    ///   - isOfAccount: Whether it was told that the vault holds something else for this very account.
    /// - Returns: Whether it is to be compared anew.
    private func conclude(
        _ comparison: VaultComparison,
        of reference: AccountReference,
        _ epoch: UInt64,
        isOfAccount: Bool
    ) -> Bool {
        let now = clock.now.uptimeNanoseconds
        return state.withLock { state in
            guard let lifecycle = state.lifecycles[reference] else { return false }
            if lifecycle.isExchanging {
                state.note(comparison.found, of: reference, epoch)
                return false
            }
            guard lifecycle.known == comparison.known else {
                // What an exchange has brought meanwhile need not be what the vault holds by now.
                return comparison.found.map { !$0.isToken(lifecycle.known) } ?? false
            }
            guard comparison.isChanged else { return false }
            // What failed before need not fail with what this very account has now.
            let failure = lifecycle.failure(now: now)
            let isWaiting = isOfAccount && failure != nil || failure?.cause == .storeUnavailable
            if lifecycle.isIdle || isWaiting { state.lifecycles[reference] = nil }
            return false
        }
    }

    /// Looks whether the vault holds another token than the one that is known here, or none any more.
    ///
    /// - Parameter forgotten: The credential that was held of the account.
    private func compare(
        _ reference: AccountReference,
        _ known: AccountToken?,
        forgotten: StoredCredential?,
        _ epoch: UInt64
    ) async -> VaultComparison {
        let name = name(of: reference)
        do throws(VaultError) {
            try await writeUnwritten(of: name)
            // What is noted of a token's renewal changes nothing.
            guard let stored = try await loadStored(name) else {
                held.drop(reference)
                return VaultComparison(known: known, found: .nothing, isChanged: true)
            }
            // Without its log-in an enrolled account could have no other token once the store is away.
            if case .enrolled = reference {
                if mayUse(stored, as: reference) {
                    held.remember(stored, of: reference, epoch: epoch)
                } else {
                    held.drop(reference)
                }
            }
            let found = StoredToken.token(stored.token)
            if found.isToken(known) { return VaultComparison(known: known, found: found, isChanged: false) }
            // What is there for others only has not taken its place.
            if case .configured = reference, usable(stored, as: reference) == nil {
                return VaultComparison(known: known, found: found, isChanged: false)
            }
            return VaultComparison(known: known, found: found, isChanged: true)
        } catch {
            // One that is of no use now is told when its account is asked for next.
            guard error.isUnavailability else {
                held.drop(reference)
                return VaultComparison(known: known, found: .unreadable, isChanged: true)
            }
            // What is known is used until the store is back.
            if let forgotten { held.restore(forgotten, of: reference, epoch: epoch) }
            compareLater(reference)
            return VaultComparison(known: known, found: nil, isChanged: false)
        }
    }

    /// Notes an account to be compared later: it is used as it is known, since the store could not be asked what it
    /// holds.
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

/// The result of comparing what is known of an account with what the vault holds.
private struct VaultComparison: Sendable {
    /// The token that was known.
    let known: AccountToken?
    /// The token that the store holds; nil when the store could not be asked.
    let found: StoredToken?
    let isChanged: Bool
}
