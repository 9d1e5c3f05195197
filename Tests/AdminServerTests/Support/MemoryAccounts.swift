import Credentials
import OAuthSigning
import Synchronization

/// The accounts of an engine that believes everything but what it was told not to.
final class MemoryAccounts: EnrolmentService {
    struct Claim: Equatable {
        var accessType: EnrolmentAccessType
        var passkey: String
        var passcode: Secret
    }

    private struct State {
        var claims: [Claim] = []
        var names: Set<CredentialName> = []
    }

    let accessTypes: Set<EnrolmentAccessType>
    private let result: EnrolmentResult?
    private let vaultError: VaultError?
    private let state = Mutex(State())

    /// - Parameters:
    ///   - result: The result of every claim.
    ///   - vaultError: The error that listing and removing fail with.
    init(
        _ names: [CredentialName] = [],
        accessTypes: Set<EnrolmentAccessType> = [.password, .bearer, .oauth1],
        result: EnrolmentResult? = nil,
        vaultError: VaultError? = nil
    ) {
        self.accessTypes = accessTypes
        self.result = result
        self.vaultError = vaultError
        state.withLock { $0.names = Set(names) }
    }

    var claims: [Claim] { state.withLock { $0.claims } }

    func register(_ claim: EnrolmentClaim) async -> EnrolmentResult {
        let name = CredentialName(api: "api\(claim.accessType.rawValue)", account: claim.passkey)
        return state.withLock { state in
            state.claims.append(
                Claim(accessType: claim.accessType, passkey: claim.passkey, passcode: claim.passcode)
            )
            if let result { return result }
            return state.names.insert(name).inserted ? .created(name) : .existed(name)
        }
    }

    func accounts() async throws(VaultError) -> VaultListing {
        if let vaultError { throw vaultError }
        let names = state.withLock { $0.names }
        return VaultListing(
            names: names.sorted { ($0.api, $0.account) < ($1.api, $1.account) },
            errors: [.damaged(path: "/v/x.sealed")]
        )
    }

    func remove(_ name: CredentialName) async throws(VaultError) -> Bool {
        if let vaultError { throw vaultError }
        return state.withLock { $0.names.remove(name) != nil }
    }
}
