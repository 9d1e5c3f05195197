import LocalAuthority

/// The local CA, as clients are given it.
struct ClientAuthority: Sendable {
    /// Its certificate in PEM; ends with a line feed.
    let pem: String
    /// The certificate that Java has to trust in its place, in DER.
    let javaDER: [UInt8]
    /// Returns whether a DER certificate is an earlier one of the CA's, which must not be beside it.
    let replaces: @Sendable (_ der: [UInt8]) -> Bool
}

extension ClientAuthority {
    init(_ certificate: AuthorityCertificate) {
        self.init(
            pem: certificate.pem,
            javaDER: certificate.trustStoreDER,
            replaces: { certificate.replaces(der: $0) }
        )
    }
}
