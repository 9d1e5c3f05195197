import Dispatch
import Files
package import FoundationEssentials
package import X509

/// The certificates that a path may end at.
package enum TrustRoots: Equatable, Sendable {
    /// The roots that the system trusts.
    case system
    /// These, instead of the system's.
    case certificates([Certificate])
}

extension TrustRoots {
    /// Other trusted roots of whoever runs the root of a path: what a certificate authority moves to one day, and what
    /// can therefore be pinned as a backup. The newest first; none of them has a key of the path. The system's are read
    /// from their file: for a thread that may wait.
    package func rootsOfSameOrganization(asPath path: [Certificate], at time: Date) -> [Certificate] {
        guard let organization = path.last?.subject.organization else { return [] }
        var keys = path.map(\.publicKey)
        let found = all.filter { root in
            guard root.subject.organization == organization, !keys.contains(root.publicKey),
                root.notValidBefore <= time, time <= root.notValidAfter
            else { return false }
            keys.append(root.publicKey)
            return true
        }
        return found.sorted { $0.notValidBefore > $1.notValidBefore }
    }

    private var all: [Certificate] {
        switch self {
        case .system: SystemRoots.read()
        case .certificates(let certificates): certificates
        }
    }
}

extension DistinguishedName {
    fileprivate var organization: String? {
        for name in self {
            for attribute in name where attribute.type == .RDNAttributeType.organizationName {
                if let text = String(attribute.value), !text.isEmpty { return text }
            }
        }
        return nil
    }
}

/// The roots that the system trusts, from where Linux distributions keep them.
enum SystemRoots {
    private static let loading: Task<[DistinguishedName: [Certificate]], Never> = .detached(priority: .userInitiated) {
        await withCheckedContinuation { continuation in
            // A queue of its own has a thread of its own: none of the concurrency pool waits for the file.
            DispatchQueue(label: "paraph.roots", qos: .userInitiated).async {
                continuation.resume(returning: Dictionary(grouping: SystemRoots.read(), by: \.subject))
            }
        }
    }

    /// Starts to read the roots in the background, if that has not begun: once for the process.
    static func startLoading() { _ = loading }

    static var bySubject: [DistinguishedName: [Certificate]] {
        get async { await loading.value }
    }

    private static let files = ["/etc/ssl/certs/ca-certificates.crt", "/etc/pki/tls/certs/ca-bundle.crt"]

    /// The certificates of the first file that is there, but for the ones that cannot be read.
    static func read() -> [Certificate] {
        for file in files {
            guard let bytes = try? FileContents.read(file) else { continue }
            return PEMBlocks.certificates(bytes).compactMap { PresentedCertificate(bytes: $0).certificate }
        }
        return []
    }
}
