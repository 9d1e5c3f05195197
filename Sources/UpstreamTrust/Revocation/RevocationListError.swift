import Bytes

/// The fault of a revocation list, or what in it is not supported.
package enum RevocationListError: Error, Equatable, Sendable {
    case noList
    case otherBlock(kind: String)
    case malformed
    case noNextUpdate
    case unsupportedAlgorithm(String)
    case delta
    case partial
    case indirect
    case unknownCriticalExtension(String)
}

extension RevocationListError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .noList:
            "there is no revocation list in it (DER, or PEM blocks from -----BEGIN X509 CRL----- to -----END X509 CRL-----)"
        case .otherBlock(let kind):
            "it has a block of the kind \(PrintableText(kind, limit: 40)); only X509 CRL blocks belong here"
        case .malformed:
            "it is not encoded as a revocation list (RFC 5280, section 5.1)"
        case .noNextUpdate:
            "it does not say when the next list is due (nextUpdate), so that nobody could tell when it is out of date"
        case .unsupportedAlgorithm(let identifier):
            "it is signed by an algorithm that is not supported (\(identifier)): ECDSA or RSA with SHA-256, SHA-384 or "
                + "SHA-512, or Ed25519"
        case .delta:
            "it is a delta list, which tells changes alone; name the complete list"
        case .partial:
            "it has an issuing distribution point, and may tell of a part of the certificates only; name a complete list"
        case .indirect:
            "it is an indirect list, which tells of certificates of other issuers; name the issuers' own lists"
        case .unknownCriticalExtension(let identifier):
            "it has the critical extension \(identifier), which is not understood here"
        }
    }
}
