import Bytes
package import Files
package import FoundationEssentials
import UpstreamTrust

/// The reason why there is no local CA, or no leaf from it. Paths are the operator's own words; no key is ever in an
/// error.
package enum LocalAuthorityError: Error, Equatable, Sendable {
    case cannotAccess(path: String, action: String, reason: String)
    case keyIsReadableByOthers(path: String, FileExposure)
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
    /// A CA is there that was not made by Paraph, where proxies are to share one that was.
    case notShared(path: String)
    /// The CA that proxies share is not one that this version can read.
    case unreadableCopy
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
        case .notShared: "ca_not_shared"
        case .unreadableCopy: "ca_copy_unreadable"
        case .cannotSign: "ca_cannot_sign"
        case .trustStoreNotMade: "ca_trust_store"
        }
    }
}

extension LocalAuthorityError: CustomStringConvertible {
    /// A description of what is wrong and what to do about it.
    package var description: String {
        switch self {
        case .cannotAccess(let path, let action, let reason):
            "cannot \(action) \(path): \(reason)"
                + (action == "read"
                    ? "" : "; state: PATH in the configuration names another place for what Paraph makes")
        case .keyIsReadableByOthers(let path, let exposure):
            "the CA's private key \(path) \(exposure.problem); whoever has it can impersonate the hosts that the CA is for; "
                + exposure.remedy(shellQuoted(path))
        case .keyWithoutCertificate(let keyPath, let certificatePath):
            "there is a CA key in \(keyPath) and no certificate in \(certificatePath); put the certificate back, "
                + "or remove the key to have a new CA made (which clients then have to be given)"
        case .certificateWithoutKey(let keyPath, let certificatePath):
            "there is a CA certificate in \(certificatePath) and no key in \(keyPath); put the key back, "
                + "or remove the certificate to have a new CA made (which clients then have to be given)"
        case .unreadableCertificate(let path, let problem):
            "the CA certificate \(path) cannot be used: \(problem)"
        case .unreadableKey(let path):
            "the CA's private key \(path) cannot be read: it has to be one unencrypted PEM block "
                + "(PRIVATE KEY, EC PRIVATE KEY or RSA PRIVATE KEY)"
        case .keyDoesNotMatch(let keyPath, let certificatePath):
            "the private key \(keyPath) is not the one of the CA certificate \(certificatePath); "
                + "put the right one back, or remove both to have a new CA made (which clients then have to be given)"
        case .notAnAuthority(let path):
            "the certificate \(path) may not sign others: a CA has basicConstraints CA:TRUE and, "
                + "when it has a key usage, keyCertSign"
        case .expired(let path, let date):
            "the CA certificate \(path) expired on \(UTCText.format(date)); remove it and its key to have a new one made "
                + "(which clients then have to be given)"
        case .notYetValid(let path, let date):
            "the CA certificate \(path) is not valid before \(UTCText.format(date)); is this machine's clock right?"
        case .invalidServerName(let name):
            "no certificate can be made for the host \"\(name)\": it is neither an IP address nor a DNS name"
        case .missing(let path):
            "there is no CA in \(path) yet; paraph run makes it at its first start"
        case .notParaphs(let path):
            "the CA in \(path) was not made by Paraph, which can only renew its own: renew it where it was made, "
                + "or put it and its key elsewhere to have one made at the next start (which clients then have to be given)"
        case .notShared(let path):
            "the CA in \(path) was not made by Paraph, and only one that was is shared by authority.shared: leave that out to "
                + "use this one, and give all proxies its files; or put them elsewhere to use the one that is shared"
        case .unreadableCopy:
            "the CA that the proxies share cannot be read by this version of Paraph: use the one that stored it, or a later one"
        case .cannotSign:
            "the CA's key could not sign a certificate"
        case .trustStoreNotMade:
            "the certificates could not be written as a PKCS#12 truststore"
        }
    }
}
