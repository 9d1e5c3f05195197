import Bytes
import FoundationEssentials
import Synchronization
import X509

/// Holds certificates against the revocation lists of their issuers.
///
/// A list counts for a certificate when it has the name of its issuer, was signed by its issuer's key, and its issuer's
/// key usage lets that key sign lists (RFC 5280, section 6.3.3, f and g). Of several the newest counts.
final class RevocationCheck: Sendable {
    private let lists: [DistinguishedName: [RevocationList]]
    private let onMissing: RevocationAction
    /// Lists may be large, and are of few keys: the keys that signed them are found once. Only authorities of valid
    /// paths are asked for.
    private let signers: Mutex<[ListIssuer: [Int]]>

    private struct ListIssuer: Hashable {
        var name: DistinguishedName
        var key: Certificate.PublicKey
    }

    init(_ policy: RevocationPolicy) {
        let byIssuer = Dictionary(grouping: policy.lists, by: \.issuer)
        lists = byIssuer.mapValues { lists in lists.sorted { $0.thisUpdate > $1.thisUpdate } }
        onMissing = policy.onMissing
        signers = Mutex([:])
    }

    func failure(of member: PathMember, issuer: PathMember, at time: Date) -> TrustFailureReason? {
        let certificate = member.certificate
        let subject = PrintableText.name(certificate.subject)
        let issuerName = PrintableText.name(certificate.issuer)
        let lists = issuer.maySignRevocationLists ? self.lists(of: issuer.certificate) : []
        let newest = lists.first { $0.thisUpdate <= time }
        // A revoked certificate stays so when its list is out of date.
        if let entry = newest?.entries[certificate.serialNumber] {
            return .revoked(
                subject: subject,
                serialNumber: Hexadecimal.encode(
                    certificate.serialNumber.bytes.prefix(32),
                    separator: UInt8(ascii: ":")
                ),
                at: entry.date,
                entry.reason
            )
        }
        switch (newest, onMissing) {
        case (let list?, _) where time <= list.nextUpdate: return nil
        case (_, .accept): return nil
        case (let list?, .refuse): return .revocationListExpired(issuer: issuerName, at: list.nextUpdate)
        case (nil, .refuse): return .revocationListMissing(issuer: issuerName, of: subject)
        }
    }

    private func lists(of issuer: Certificate) -> [RevocationList] {
        guard let lists = self.lists[issuer.subject] else { return [] }
        let signer = ListIssuer(name: issuer.subject, key: issuer.publicKey)
        let known = signers.withLock { $0[signer] }
        let indices = known ?? lists.indices.filter { lists[$0].isSigned(by: issuer.publicKey) }
        if known == nil { signers.withLock { $0[signer] = indices } }
        return indices.map { lists[$0] }
    }
}

/// The revocation lists that a validated path is held against. Nothing is fetched.
package struct RevocationPolicy: Sendable {
    package var lists: [RevocationList]
    /// The action for a certificate on a path, other than the root, where there is no list of its issuer, or none that
    /// is valid at the time.
    package var onMissing: RevocationAction

    package init(lists: [RevocationList], onMissing: RevocationAction) {
        self.lists = lists
        self.onMissing = onMissing
    }
}

/// The action for a certificate of which no current revocation list tells.
package enum RevocationAction: String, CaseIterable, Sendable {
    case accept
    case refuse
}
