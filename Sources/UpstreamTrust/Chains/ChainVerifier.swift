package import FoundationEssentials
import X509

/// Decides whether the certificates that a server presented satisfy a policy.
///
/// A path is searched from the first certificate presented to a trusted root, and validated as RFC 5280, section 6.1,
/// has it; host name and pins are looked at on that path alone, so that a certificate that is merely presented proves
/// nothing. The work is bounded whatever is presented: certificates, issuers tried, signatures verified, names compared
/// with name constraints. Revocation is asked of the lists in ``TLSPolicy/revocation`` alone, and nothing is fetched.
/// ``TLSPolicy/pinning`` is not looked at: whoever calls knows the server, and passes what ``TLSPolicy/pinning(for:)``
/// says.
package struct ChainVerifier: Sendable {
    /// Certificates beyond these are not looked at.
    package static let maximumPresented = 10
    /// A certificate of more bytes is not read.
    package static let maximumBytes = 65_536
    /// The size of all presented certificates together, in bytes; those beyond it are not looked at. BoringSSL takes no
    /// longer chains in a handshake.
    package static let maximumBytesInAll = 131_072

    package let policy: TLSPolicy
    private let revocation: RevocationCheck?
    private let roots: [DistinguishedName: [Certificate]]?

    /// Makes a verifier; where the policy trusts the system's roots, this starts to load them in the background.
    package init(policy: TLSPolicy) {
        self.policy = policy
        revocation = policy.revocation.map { RevocationCheck($0) }
        roots =
            switch policy.trust {
            case .system: nil
            case .certificates(let certificates): Dictionary(grouping: certificates, by: \.subject)
            }
        if roots == nil { SystemRoots.startLoading() }
    }

    /// - Parameters:
    ///   - presentedDER: The certificates that the server sent, its own first, the others in any order. They need not
    ///     be readable: the failure then says so.
    ///   - pinning: The pins of the server: ``TLSPolicy/pinning(for:)``.
    ///   - time: The time to judge validity by.
    package func verify(
        presentedDER: [[UInt8]],
        serverName: ServerName,
        pinning: PinningPolicy?,
        at time: Date
    ) async -> TrustDecision {
        let seen = Self.seen(presentedDER)
        return await verify(
            seen.map { PresentedCertificate(bytes: $0) },
            unseen: presentedDER.count - seen.count,
            serverName: serverName,
            pinning: pinning,
            at: time
        )
    }

    /// The presented certificates that are looked at.
    static func seen(_ presentedDER: [[UInt8]]) -> ArraySlice<[UInt8]> {
        var total = 0
        return presentedDER.prefix(Self.maximumPresented).prefix { certificate in
            let isFirst = total == 0
            total += certificate.count
            // The first is told of, however large it is.
            return isFirst || total <= Self.maximumBytesInAll
        }
    }

    private func verify(
        _ presented: [PresentedCertificate],
        unseen: Int,
        serverName: ServerName,
        pinning: PinningPolicy?,
        at time: Date
    ) async -> TrustDecision {
        let roots: [DistinguishedName: [Certificate]]
        if let configured = self.roots { roots = configured } else { roots = await SystemRoots.bySubject }
        let diagnosis = Diagnosis(
            presented: presented,
            policy: policy,
            lacksSystemRoots: self.roots == nil && roots.isEmpty
        )
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
        // Pins take part in the search: of several paths that are valid, one that has a pin is found.
        var search = PathSearch(
            leaf: leaf,
            others: presented.dropFirst().compactMap(\.certificate),
            roots: roots,
            serverName: policy.verifiesHostname ? serverName : nil,
            pinning: pinning,
            revocation: revocation,
            time: time
        )
        switch search.run() {
        case .found(let path):
            let lacksBackupPin = pinning?.lacksBackup(on: path, at: time) ?? false
            return .accepted(AcceptedPath(path: path, lacksBackupPin: lacksBackupPin))
        case .unpinned(let path, let reason):
            let mismatch = failure(path, reason)
            return switch pinning?.action(at: time) {
            case .report?: .accepted(AcceptedPath(path: path, reported: mismatch))
            case .refuse?, nil: .refused(mismatch)
            }
        case .nothing(let path, let reason): return .refused(failure(path, reason))
        case .noPath: return .refused(failure([], diagnosis.incompleteChain))
        }
    }
}
