import SwiftASN1

/// The parts of a certificate as the bytes that came, for what X509 does not hand out or cannot read.
enum CertificateBytes {
    /// The DER SubjectPublicKeyInfo within a DER TBSCertificate (RFC 5280, section 4.1).
    static func subjectPublicKeyInfo(toBeSigned bytes: ArraySlice<UInt8>) throws -> ArraySlice<UInt8> {
        try publicKeyNode(toBeSigned: DER.parse(bytes)).encodedBytes
    }

    /// The DER SubjectPublicKeyInfo within a DER Certificate, whatever its algorithm.
    static func subjectPublicKeyInfo(certificate bytes: [UInt8]) throws -> ArraySlice<UInt8> {
        try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            guard let toBeSigned = nodes.next() else { throw Self.truncated }
            while nodes.next() != nil {}
            return try publicKeyNode(toBeSigned: toBeSigned).encodedBytes
        }
    }

    /// Returns the number of bits in the last byte of a DER Certificate's signature that its encoding calls unused.
    /// X509 does not look.
    static func unusedSignatureBits(certificate bytes: [UInt8]) throws -> Int {
        try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            // tbsCertificate, signatureAlgorithm
            guard nodes.next() != nil, nodes.next() != nil else { throw Self.truncated }
            return try ASN1BitString(derEncoded: &nodes).paddingBits
        }
    }

    /// The algorithm of a SubjectPublicKeyInfo; for an EC key its curve.
    static func keyAlgorithm(subjectPublicKeyInfo bytes: ArraySlice<UInt8>) -> ASN1ObjectIdentifier? {
        try? keyParts(subjectPublicKeyInfo: bytes).algorithm
    }

    /// The bits of the modulus when the SubjectPublicKeyInfo is of an RSA key, else nil.
    static func rsaModulusBits(subjectPublicKeyInfo bytes: ArraySlice<UInt8>) -> Int? {
        guard let (algorithm, key) = try? keyParts(subjectPublicKeyInfo: bytes), algorithm == .rsaEncryption,
            let modulus = try? DER.sequence(
                DER.parse(key),
                identifier: .sequence,
                { nodes in
                    defer { while nodes.next() != nil {} }
                    return try ArraySlice<UInt8>(derEncoded: &nodes).drop { $0 == 0 }
                }
            )
        else { return nil }
        return modulus.count * 8 - (modulus.first?.leadingZeroBitCount ?? 0)
    }

    private static func keyParts(
        subjectPublicKeyInfo bytes: ArraySlice<UInt8>
    ) throws -> (algorithm: ASN1ObjectIdentifier, key: ArraySlice<UInt8>) {
        try DER.sequence(DER.parse(bytes), identifier: .sequence) { nodes in
            guard let identifier = nodes.next() else { throw Self.truncated }
            let algorithm = try DER.sequence(identifier, identifier: .sequence) { nodes in
                defer { while nodes.next() != nil {} }
                let algorithm = try ASN1ObjectIdentifier(derEncoded: &nodes)
                return algorithm == .ecPublicKey ? try ASN1ObjectIdentifier(derEncoded: &nodes) : algorithm
            }
            return (algorithm, try ASN1BitString(derEncoded: &nodes).bytes)
        }
    }

    private static func publicKeyNode(toBeSigned node: ASN1Node) throws -> ASN1Node {
        try DER.sequence(node, identifier: .sequence) { nodes in
            var fields: [ASN1Node] = []
            while let node = nodes.next() { fields.append(node) }
            // version is explicitly tagged [0] and absent from version 1
            if fields.first?.identifier == ASN1Identifier(tagWithNumber: 0, tagClass: .contextSpecific) {
                fields.removeFirst()
            }
            // serialNumber, signature, issuer, validity, subject, subjectPublicKeyInfo
            guard fields.count >= 6 else { throw Self.truncated }
            return fields[5]
        }
    }

    private static var truncated: ASN1Error { .invalidASN1Object(reason: "the certificate ends early") }
}

extension ASN1ObjectIdentifier {
    fileprivate static let rsaEncryption: Self = [1, 2, 840, 113_549, 1, 1, 1]
    fileprivate static let ecPublicKey: Self = [1, 2, 840, 10_045, 2, 1]
}
