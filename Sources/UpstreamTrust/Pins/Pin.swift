import Bytes
package import Crypto
import SwiftASN1
package import X509

/// The SHA-256 of a public key or of a certificate, as it is written in a pinning policy.
///
/// The text form is `sha256/` and the 32 bytes in base64 (RFC 4648, section 4, with padding). The text does not say
/// which of the two was hashed: the mode of the ``PinningPolicy`` does.
package struct Pin: Hashable, Sendable {
    private static let prefix = "sha256/"

    /// The 32 bytes of the digest.
    package let digest: [UInt8]

    package init(_ digest: SHA256.Digest) {
        self.digest = Array(digest)
    }

    /// Reads `sha256/BASE64=`.
    ///
    /// - Throws: The fault of the text, fit to be shown beside the line of the configuration that has it.
    package init(validating text: String) throws(PinError) {
        guard text.hasPrefix(Self.prefix) else { throw .missingPrefix }
        let base64 = Array(text.utf8.dropFirst(Self.prefix.utf8.count))
        guard let bytes = Base64.decode(base64.span) else { throw .notBase64 }
        guard bytes.count == SHA256.byteCount else { throw .wrongLength(bytes: bytes.count) }
        digest = bytes
    }

    /// `sha256/BASE64=`.
    package var text: String { Self.prefix + String(decoding: Base64.encode(digest.span), as: UTF8.self) }

    /// The SHA-256 of the DER SubjectPublicKeyInfo, over the very bytes of the certificate.
    ///
    /// - Throws: An `ASN1Error` when the certificate's own bytes cannot be walked; a parsed certificate's can.
    package static func publicKey(of certificate: Certificate) throws -> Pin {
        let bytes = try CertificateBytes.subjectPublicKeyInfo(toBeSigned: certificate.tbsCertificateBytes)
        return Pin(SHA256.hash(data: bytes))
    }

    /// The SHA-256 of the whole DER certificate.
    ///
    /// X509 keeps the three parts of a certificate as the bytes that came, and DER leaves one way to write the
    /// sequence around them, so that this is the digest of the certificate as it was received.
    package static func certificate(_ certificate: Certificate) throws -> Pin {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        return Pin(SHA256.hash(data: serializer.serializedBytes))
    }
}

extension Pin: CustomStringConvertible {
    package var description: String { text }
}

/// The fault of a pin's text.
package enum PinError: Error, Equatable, Sendable {
    case missingPrefix
    case notBase64
    case wrongLength(bytes: Int)
}

extension PinError: CustomStringConvertible {
    package var description: String {
        switch self {
        case .missingPrefix:
            "the pin does not start with sha256/: a pin is sha256/ and the SHA-256 in base64"
        case .notBase64:
            "what follows sha256/ in the pin is not base64 with its padding (44 characters)"
        case .wrongLength(let bytes):
            "the pin holds \(bytes) bytes: a SHA-256 has 32 (44 characters of base64)"
        }
    }
}
