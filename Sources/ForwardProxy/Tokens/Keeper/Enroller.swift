package import Credentials
import Logging
import NIOCore
import Settings

/// Enrols accounts while the proxy runs: has each claim verified by the provider itself, under the API's TLS policy,
/// and stores what was verified. From then on requests can be signed as that account.
package final class Enroller: EnrolmentService {
    private let settings: EnrolmentSettings
    private let apis: [APIContext]
    private let vault: any CredentialStore
    private let transports: [ExchangeTransport]
    private let invalidation: AccountInvalidation
    private let metrics: TokenMetrics
    private let logger: Logger

    init(
        settings: EnrolmentSettings,
        apis: [APIContext],
        vault: any CredentialStore,
        transports: [ExchangeTransport],
        invalidation: AccountInvalidation,
        metrics: TokenMetrics,
        logger: Logger
    ) {
        self.settings = settings
        self.apis = apis
        self.vault = vault
        self.transports = transports
        self.invalidation = invalidation
        self.metrics = metrics
        self.logger = logger
    }

    package func register(_ claim: EnrolmentClaim) async -> EnrolmentResult {
        guard let target = settings.targets[claim.accessType] else {
            return .refused(detail: "enrolment.access_types has no \(claim.accessType.rawValue).")
        }
        let api = apis[target.api]
        guard !api.settings.accounts.contains(where: { sameBytes($0.name, claim.passkey) }) else {
            return .refused(detail: "An account of this name is in the configuration, which enrolment does not change.")
        }
        let name = CredentialName(api: api.settings.name, account: claim.passkey)
        // A claim is verified by what may be good only once, and leaves a token with the provider.
        if let absence = await absence() {
            return .storeUnavailable(
                detail: "\(absence) Nothing was asked of the provider. "
                    + "Register the account again when the store is back."
            )
        }
        do throws(ExchangeFailure) {
            switch try await verify(claim, target, api) {
            case .verified(let credential): return await keep(credential, as: name, target.api)
            case .refused(let detail): return .refused(detail: detail)
            case .unavailable(let detail): return .unavailable(detail: detail)
            }
        } catch {
            switch error.cause {
            case .timedOut: return .timedOut(detail: error.detail)
            default: return .unavailable(detail: error.detail)
            }
        }
    }

    /// Returns the reason why the store is away; nil: it is not.
    private func absence() async -> VaultError? {
        do throws(VaultError) {
            try await vault.check()
            return nil
        } catch {
            return error.isUnavailability ? error : nil
        }
    }

    private func verify(
        _ claim: EnrolmentClaim,
        _ target: EnrolmentSettings.Target,
        _ api: APIContext
    ) async throws(ExchangeFailure) -> EnrolmentOutcome {
        let correctsClock = if case .oauth1(let oauth1) = api.settings.scheme { oauth1.correctsClock } else { false }
        let conversation = transports[Int.random(in: transports.indices)].conversation(
            with: api,
            at: target.api,
            correctsClock: correctsClock,
            logger: logger
        )
        return try await conversation.run(
            EnrolmentCheck(claim: claim, target: target, scheme: api.settings.scheme)
        )
    }

    private func keep(_ credential: StoredCredential, as name: CredentialName, _ api: Int) async -> EnrolmentResult {
        do throws(VaultError) {
            let binding = apis[api].bindingOfEnrolled
            let isNew = try await counted(.store) { () async throws(VaultError) in
                // What cannot be read, or may not be used, is replaced.
                try await vault.store(credential.bound(to: binding), for: name) { stored in
                    stored.isBound(to: binding) && stored.provesSame(as: credential)
                }
            }
            guard isNew else { return .existed(name) }
            await invalidation.forget([.enrolled(api: api, name: name.account)])
            return .created(name)
        } catch {
            logger.error(
                "an enrolled account could not be stored",
                metadata: ["api": "\(name.api)", "account": "\(name.account)", "reason": "\(error)"]
            )
            guard !error.isUnavailability else {
                return .storeUnavailable(
                    detail: "\(error) The account was verified, but it is not known whether it was stored; a token "
                        + "that the provider has granted for it may be lost. Register it again once the store is back."
                )
            }
            return .failed(detail: "The account was verified but could not be stored; the proxy's log says why.")
        }
    }

    package var accessTypes: Set<EnrolmentAccessType> { Set(settings.targets.keys) }

    package func accounts() async throws(VaultError) -> VaultListing {
        try await counted(.list) { () async throws(VaultError) in try await vault.listing() }
    }

    package func remove(_ name: CredentialName) async throws(VaultError) -> Bool {
        let existed = try await counted(.remove) { () async throws(VaultError) in try await vault.remove(name) }
        await invalidation.forgetAccount(name)
        return existed
    }

    private func counted<Value>(
        _ operation: TokenMetrics.VaultOperation,
        _ body: () async throws(VaultError) -> Value
    ) async throws(VaultError) -> Value {
        do throws(VaultError) {
            let value = try await body()
            metrics.vault(operation, failed: false)
            return value
        } catch {
            metrics.vault(operation, failed: true)
            throw error
        }
    }
}

extension StoredCredential {
    /// Returns whether the credentials are those of a claim that was made before.
    fileprivate func provesSame(as other: StoredCredential) -> Bool {
        // What a password grant brings is new each time.
        if let login, let otherLogin = other.login { return login == otherLogin }
        return token == other.token && (login == nil) == (other.login == nil)
    }
}
