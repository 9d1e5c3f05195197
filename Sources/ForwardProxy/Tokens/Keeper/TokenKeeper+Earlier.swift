import Credentials
import Settings
import Synchronization

// MARK: - What is known across a reload

extension TokenKeeper {
    /// Returns what is known of accounts, for the keeper of the next configuration.
    ///
    /// - Parameter hasSameVault: Whether that one has the same store. What a person has brought is there alone.
    func knownCredentials(hasSameVault: Bool) -> [CredentialName: StoredCredential] {
        var known = earlier.all
        for (reference, credential) in held.allWithDoubted { known[name(of: reference)] = credential }
        let tokens = state.withLock { $0.lifecycles.compactMapValues { $0.current?.token } }
        for (reference, token) in tokens {
            guard let binding = apis[reference.api].binding(of: reference) else { continue }
            let name = name(of: reference)
            switch reference {
            case .configured:
                known[name] = StoredCredential(token: token, obtainedAt: 0).bound(to: binding)
            case .enrolled:
                // Without its log-in no other token could be had.
                guard known[name]?.isBound(to: binding) == true else { continue }
                known[name]?.token = token
            }
        }
        return hasSameVault ? known : known.filter { $0.value.origin == .exchange }
    }

    /// Returns what is known of an account without the store, if the account may use it: what waits to be written,
    /// or what was known under the configuration before.
    func earlierCredential(of reference: AccountReference) -> StoredCredential? {
        let name = name(of: reference)
        let known = [unwritten.entry(of: name)?.credential, earlier.credential(of: name)]
        return known.lazy.compactMap { $0 }.first { self.mayUse($0, as: reference) }
    }

    /// Returns what is known of an account where the store, which was asked, is away. When it is back that is compared with
    /// what it holds.
    func knownWithoutStore(of reference: AccountReference) -> StoredCredential? {
        // Another request may have been quicker.
        let last = held.credential(of: reference) ?? held.doubted(of: reference)
        guard let known = earlierCredential(of: reference) ?? last, mayUse(known, as: reference) else { return nil }
        compareLater(reference)
        return known
    }

    /// Drops what the store has no more, in the background: events of the store do not wait for it. Where the store goes
    /// away meanwhile, the rest stays, and is compared when the store is back.
    func verifyEarlier() {
        guard earlier.distrust() else { return }
        Task {
            repeat { await dropOutdated() } while earlier.verified()
        }
    }

    private func dropOutdated() async {
        for (name, credential) in earlier.all {
            do throws(VaultError) {
                guard try await loadStored(name)?.token.authorizes(as: credential.token) != true else { continue }
            } catch {
                guard !error.isUnavailability else { return }
            }
            earlier.forget([name])
        }
    }

    func name(of reference: AccountReference) -> CredentialName {
        let api = apis[reference.api]
        return CredentialName(api: api.settings.name, account: api.name(of: reference))
    }
}
