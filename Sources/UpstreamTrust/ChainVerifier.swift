package import FoundationEssentials
package import X509

/// Decides whether the certificates that a server presented satisfy a policy.
///
/// The path is built and validated by X509's `Verifier` from the first certificate presented to a trusted root; host
/// name and pins are looked at on that path alone, so that a certificate that is merely presented proves nothing. The
/// work is bounded whatever is presented. ``TLSPolicy/pinning`` is not looked at: whoever calls knows the server, and
/// passes what ``TLSPolicy/pinning(for:)`` says.
package struct ChainVerifier: Sendable {
    /// Certificates beyond these are not looked at.
    package static let maximumPresented = 10
    /// A certificate of more octets is not read.
    package static let maximumOctets = 65_536

    package let policy: TLSPolicy
    private let roots: CertificateStore

    /// Where the policy trusts the system's roots, this starts to load them in the background.
    package init(policy: TLSPolicy) {
        self.policy = policy
        self.roots =
            switch policy.trust {
            case .system: .systemTrustRoots
            case .certificates(let certificates): CertificateStore(certificates)
            }
    }

    /// - Parameters:
    ///   - presented: what the server sent, its own certificate first, the others in any order.
    ///   - pinning: what the server is pinned to: ``TLSPolicy/pinning(for:)``.
    ///   - time: the time to judge validity by.
    package func verify(
        presented: [Certificate],
        serverName: ServerName,
        pinning: PinningPolicy?,
        at time: Date
    ) async -> TrustDecision {
        await self.verify(
            presented.prefix(Self.maximumPresented).map { PresentedCertificate($0) },
            unseen: max(0, presented.count - Self.maximumPresented),
            serverName: serverName,
            pinning: pinning,
            at: time
        )
    }

    /// The same for the DER of the certificates, which need not be readable: the failure then says so.
    package func verify(
        presentedDER: [[UInt8]],
        serverName: ServerName,
        pinning: PinningPolicy?,
        at time: Date
    ) async -> TrustDecision {
        await self.verify(
            presentedDER.prefix(Self.maximumPresented).map { PresentedCertificate(octets: $0) },
            unseen: max(0, presentedDER.count - Self.maximumPresented),
            serverName: serverName,
            pinning: pinning,
            at: time
        )
    }

    private func verify(
        _ presented: [PresentedCertificate],
        unseen: Int,
        serverName: ServerName,
        pinning: PinningPolicy?,
        at time: Date
    ) async -> TrustDecision {
        let diagnosis = Diagnosis(presented: presented, policy: self.policy, serverName: serverName, time: time)
        let failure = { (path: [Certificate], reason: TrustFailureReason) in
            TrustFailure(
                reason: reason,
                serverName: serverName,
                presented: CertificateSummary.all(of: presented, path: path),
                unseen: unseen,
                pinning: pinning
            )
        }
        guard let leaf = presented.first?.certificate else {
            return .refused(failure([], diagnosis.unreadableLeaf))
        }
        let search = PathSearch(
            leaf: leaf,
            others: presented.dropFirst().compactMap(\.certificate),
            roots: self.roots,
            serverName: self.policy.verifiesHostname ? serverName : nil,
            time: time
        )
        var isCut = false
        if let pinning {
            // Pins take part in the search: of several paths that are valid, one that has a pin is found.
            switch await search.run(pinning: pinning) {
            case .found(let path):
                return .accepted(AcceptedPath(path: path, lacksBackupPin: pinning.lacksBackup(on: path, at: time)))
            case .nothing(_, let wasCut): isCut = wasCut
            }
        }
        // What else is wrong is told before pins that are missing, which are of no interest on a path that is not valid.
        switch await search.run(pinning: nil) {
        case .nothing(let failures, let isCut):
            let (path, reason) = diagnosis.explain(failures, searchTooLong: isCut)
            return .refused(failure(path, reason))
        case .found(let path):
            guard let pinning else { return .accepted(AcceptedPath(path: path)) }
            let mismatch = failure(path, isCut ? .searchTooLong : .noPinMatched(pinning.mode, pinning.appliesTo))
            return switch pinning.action(at: time) {
            case .refuse: .refused(mismatch)
            case .report: .accepted(AcceptedPath(path: path, reported: mismatch))
            }
        }
    }
}
