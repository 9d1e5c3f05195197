package import FoundationEssentials
import UpstreamTrust

/// Why there is no local CA, or no leaf from it. Paths are the operator's own words; no key is ever in an error.
package enum LocalAuthorityError: Error, Equatable, Sendable {
    case cannotAccess(path: String, action: String, errno: Int32)
    case keyIsReadableByOthers(path: String, mode: UInt32)
    case keyWithoutCertificate(keyPath: String, certificatePath: String)
    case certificateWithoutKey(keyPath: String, certificatePath: String)
    case unreadableCertificate(path: String, problem: String)
    case unreadableKey(path: String)
    case keyDoesNotMatch(keyPath: String, certificatePath: String)
    case notAnAuthority(path: String)
    case expired(path: String, at: Date)
    case notYetValid(path: String, at: Date)
    case invalidServerName(String)
    case missing(path: String)
    case notParaphs(path: String)
    case cannotSign
    case trustStoreNotMade

    /// One of a bounded set, fit for a metric.
    package var label: String {
        switch self {
        case .cannotAccess: "ca_file"
        case .keyIsReadableByOthers: "ca_key_permissions"
        case .keyWithoutCertificate: "ca_certificate_missing"
        case .certificateWithoutKey: "ca_key_missing"
        case .unreadableCertificate: "ca_certificate_unreadable"
        case .unreadableKey: "ca_key_unreadable"
        case .keyDoesNotMatch: "ca_key_mismatch"
        case .notAnAuthority: "ca_not_an_authority"
        case .expired: "ca_expired"
        case .notYetValid: "ca_not_yet_valid"
        case .invalidServerName: "ca_server_name"
        case .missing: "ca_missing"
        case .notParaphs: "ca_not_paraphs"
        case .cannotSign: "ca_cannot_sign"
        case .trustStoreNotMade: "ca_trust_store"
        }
    }
}
