package import FoundationEssentials
@_spi(FixedExpiryValidationTime) package import X509

/// Decides whether the certificates that a server presented satisfy a policy.
///
/// The path is built and validated by X509's `Verifier` from the first certificate presented to a trusted root; host
/// name and pins are looked at on that path alone, so that a certificate that is merely presented proves nothing. The
/// work is bounded whatever is presented.
package struct ChainVerifier: Sendable {
    /// Certificates beyond these are not looked at.
    package static let maximumPresented = 10
    /// A certificate of more octets is not read.
    package static let maximumOctets = 65_536
    /// Issuers tried in the search for a path.
    static let maximumTries = 100

    package let policy: TLSPolicy
    private let roots: CertificateStore

    package init(policy: TLSPolicy) {
        self.policy = policy
        self.roots =
            switch policy.trust {
            case .system: .systemTrustRoots
            case .certificates(let certificates): CertificateStore(certificates)
            }
    }

    /// Starts to load the system's roots in the background, so that the first connection need not wait for them.
    package static func preload() {
        _ = CertificateStore.systemTrustRoots
    }

    /// - Parameters:
    ///   - presented: what the server sent, its own certificate first, the others in any order.
    ///   - time: the time to judge validity by.
    /// - Returns: the validated path, leaf first and trusted root last (one certificate when they are the same).
    package func verify(
        presented: [Certificate],
        serverName: ServerName,
        at time: Date
    ) async -> Result<[Certificate], TrustFailure> {
        await self.verify(
            presented.prefix(Self.maximumPresented).map { PresentedCertificate($0) },
            unseen: max(0, presented.count - Self.maximumPresented),
            serverName: serverName,
            at: time
        )
    }

    /// The same for the DER of the certificates, which need not be readable: the failure then says so.
    package func verify(
        presentedDER: [[UInt8]],
        serverName: ServerName,
        at time: Date
    ) async -> Result<[Certificate], TrustFailure> {
        await self.verify(
            presentedDER.prefix(Self.maximumPresented).map { PresentedCertificate(octets: $0) },
            unseen: max(0, presentedDER.count - Self.maximumPresented),
            serverName: serverName,
            at: time
        )
    }

    private func verify(
        _ presented: [PresentedCertificate],
        unseen: Int,
        serverName: ServerName,
        at time: Date
    ) async -> Result<[Certificate], TrustFailure> {
        let diagnosis = Diagnosis(presented: presented, policy: self.policy, serverName: serverName, time: time)
        let failure = { (path: [Certificate], reason: TrustFailureReason) in
            TrustFailure(
                reason: reason,
                serverName: serverName,
                presented: diagnosis.summaries(path: path),
                unseen: unseen,
                pinning: self.policy.pinning
            )
        }
        guard let leaf = presented.first?.certificate else {
            return .failure(failure([], diagnosis.unreadableLeaf))
        }
        let budget = SearchBudget(Self.maximumTries)
        let issuers = PresentedIssuers(presented.dropFirst().compactMap(\.certificate), budget: budget)
        let expectedName = self.policy.verifiesHostname ? serverName : nil
        var verifier = Verifier(rootCertificates: self.roots) {
            RFC5280Policy(fixedExpiryValidationTime: time)
            if let expectedName {
                expectedName.policy
            }
            PathRulesPolicy(serverName: expectedName, pinning: self.policy.pinning)
        }
        switch await verifier.validate(leaf: leaf, intermediates: CertificateStore(custom: issuers)) {
        case .validCertificate(let path):
            return .success(Array(path))
        case .couldNotValidate(let failures):
            let (path, reason) = diagnosis.explain(failures, searchTooLong: budget.isExceeded)
            return .failure(failure(path, reason))
        }
    }
}

extension ServerName {
    fileprivate var policy: ServerIdentityPolicy {
        switch self {
        case .dns(let name): ServerIdentityPolicy(serverHostname: name, serverIP: nil)
        case .ip: ServerIdentityPolicy(serverHostname: nil, serverIP: self.text)
        }
    }
}
