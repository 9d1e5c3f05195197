import Bytes
package import FoundationEssentials

/// The local CA, which clients have to trust.
package struct AuthorityStatus: Equatable, Sendable, Decodable {
    /// The path of its certificate.
    package var certificate: String
    /// The fingerprint, as browsers and `openssl x509 -fingerprint` write it.
    package var sha256: String
    package var expires: Date

    package init(certificate: String, sha256: String, expires: Date) {
        self.certificate = certificate
        self.sha256 = sha256
        self.expires = expires
    }

    var json: JSONText {
        .object([("certificate", .string(certificate)), ("sha256", .string(sha256)), ("expires", .time(expires))])
    }
}
