import Bytes
import X509

/// The subject of a CA that Paraph makes. It says which key the CA has, so that two of them are not taken for one
/// another, and that Paraph made it.
enum AuthorityName {
    static func make(for identifier: SubjectKeyIdentifier) throws -> DistinguishedName {
        try Self.name("Paraph local CA", identifier)
    }

    static func anchor(for identifier: SubjectKeyIdentifier) throws -> DistinguishedName {
        try Self.name("Paraph anchor", identifier)
    }

    private static func name(_ text: String, _ identifier: SubjectKeyIdentifier) throws -> DistinguishedName {
        let suffix = Hexadecimal.encode(identifier.keyIdentifier.prefix(4))
        return try DistinguishedName {
            OrganizationName("Paraph")
            CommonName("\(text) \(suffix)")
        }
    }

    /// Returns whether a certificate has the name that it would have been given here, and is its own issuer.
    static func isParaphs(_ certificate: Certificate) -> Bool {
        guard let name = try? make(for: SubjectKeyIdentifier(hash: certificate.publicKey)) else { return false }
        return certificate.subject == name && certificate.issuer == name
    }
}
