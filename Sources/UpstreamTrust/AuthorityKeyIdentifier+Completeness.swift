import X509

extension AuthorityKeyIdentifier {
    /// Indicates whether what it has is not empty, and it has both the issuer and the serial number of the authority's
    /// certificate or neither (RFC 5280, section 4.2.1.1).
    var isComplete: Bool {
        keyIdentifier?.isEmpty != true && authorityCertIssuer?.isEmpty != true
            && (authorityCertIssuer == nil) == (authorityCertSerialNumber == nil)
    }
}
