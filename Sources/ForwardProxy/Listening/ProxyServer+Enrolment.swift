package import Credentials

/// Enrols, lists and removes accounts while the proxy runs, by the configuration of the moment.
extension ProxyServer: EnrolmentService {
    package var accessTypes: Set<EnrolmentAccessType> { generation.enroller.accessTypes }

    package func register(_ claim: EnrolmentClaim) async -> EnrolmentResult {
        await generation.enroller.register(claim)
    }

    package func accounts() async throws(VaultError) -> VaultListing {
        try await generation.enroller.accounts()
    }

    package func remove(_ name: CredentialName) async throws(VaultError) -> Bool {
        try await generation.enroller.remove(name)
    }
}
