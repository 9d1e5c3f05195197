import ArgumentParser
import Bytes
import UpstreamTrust
import X509

/// The pins proposed for a path.
///
/// Roots are pinned unless the leaf is asked for. Public authorities change their intermediates without notice, and
/// leaves are renewed every few weeks, mostly with a new key; their roots live for decades. A pin of the root leaves
/// out every other authority, which is what pins are for.
struct PinProposal {
    enum Position: String, CaseIterable, ExpressibleByArgument {
        case root
        case leaf
    }

    struct Entry: Equatable {
        let pin: Pin
        /// The name of what it is of, for a comment.
        let what: String
    }

    static let maximumBackups = 3

    let mode: PinningMode
    /// The pins, at least one; two or more wherever the path has two certificates.
    let pins: [Entry]
    /// Indicates whether one of them is of nothing on the path.
    let hasBackup: Bool

    /// - Parameters:
    ///   - path: Leaf first, root last.
    ///   - sameOrganizationRoots: Other trusted roots of the root's authority.
    init(path: [Certificate], sameOrganizationRoots: [Certificate], mode: PinningMode, position: Position) {
        var pins: [Entry] = []
        func append(_ certificate: Certificate, _ what: String) {
            let pin =
                switch mode {
                case .publicKey: try? Pin.publicKey(of: certificate)
                case .certificate: try? Pin.certificate(certificate)
                }
            guard let pin, !pins.contains(where: { $0.pin == pin }) else { return }
            pins.append(Entry(pin: pin, what: "\(what): \(PrintableText.name(certificate.subject))"))
        }
        self.mode = mode
        let backups = position == .root ? Array(sameOrganizationRoots.prefix(Self.maximumBackups)) : []
        hasBackup = !backups.isEmpty
        switch position {
        case .root:
            if let root = path.last { append(root, "the root of the chain, in use") }
            for root in backups { append(root, "a backup, in use nowhere on the chain") }
            // The authority that issued the leaf, or else the leaf itself.
            guard backups.isEmpty, let lower = path.dropLast().prefix(2).last else { break }
            append(lower, "on the chain too, no backup")
        case .leaf:
            if let leaf = path.first { append(leaf, "the server's own, in use") }
            if let issuer = path.dropFirst().first { append(issuer, "who issued that: on the chain too, no backup") }
        }
        self.pins = pins
    }
}
