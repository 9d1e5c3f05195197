import Bytes
import SwiftASN1
import X509

/// A certificate as it came: its bytes, and what could be made of them.
struct PresentedCertificate: Sendable {
    let bytes: [UInt8]
    /// The certificate that the bytes are; nil when it cannot be read: ``flaw`` says why.
    let certificate: Certificate?
    let flaw: Flaw?

    enum Flaw: Equatable {
        case weakKey(String)
        case unreadable(String)
    }

    init(bytes: [UInt8]) {
        self.bytes = bytes
        guard bytes.count <= ChainVerifier.maximumBytes else {
            certificate = nil
            let limit = ChainVerifier.maximumBytes
            flaw = .unreadable("it has \(bytes.count) bytes, and at most \(limit) are read")
            return
        }
        do {
            let certificate = try Certificate(derEncoded: bytes)
            let isWhole = try CertificateBytes.unusedSignatureBits(certificate: bytes) == 0
            self.certificate = isWhole ? certificate : nil
            flaw = isWhole ? nil : .unreadable("its signature is not a whole number of bytes")
        } catch {
            certificate = nil
            flaw = Self.flaw(of: bytes, error: error)
        }
    }

    init(_ certificate: Certificate) {
        var serializer = DER.Serializer()
        // Three stretches of bytes that were parsed before are put in a row: nothing in it can throw. Were it to, the
        // certificate would have no bytes and its pins would match nothing.
        try? serializer.serialize(certificate)
        bytes = serializer.serializedBytes
        self.certificate = certificate
        flaw = nil
    }

    /// The DER SubjectPublicKeyInfo, nil when there is none to be found.
    var publicKeyBytes: ArraySlice<UInt8>? {
        guard bytes.count <= ChainVerifier.maximumBytes else { return nil }
        return try? CertificateBytes.subjectPublicKeyInfo(certificate: bytes)
    }

    private static func flaw(of bytes: [UInt8], error: any Error) -> Flaw {
        guard let key = try? CertificateBytes.subjectPublicKeyInfo(certificate: bytes) else {
            return .unreadable("it is not a DER certificate")
        }
        if let bits = CertificateBytes.rsaModulusBits(subjectPublicKeyInfo: key), bits < 2048 {
            return .weakKey("an RSA key of \(bits) bits, and fewer than 2048 are not accepted")
        }
        let algorithm = CertificateBytes.keyAlgorithm(subjectPublicKeyInfo: key).map { "\($0)" } ?? "without a name"
        return switch (error as? CertificateError)?.code {
        case CertificateError.ErrorCode.unsupportedPublicKeyAlgorithm:
            .unreadable("keys of its kind (\(PrintableText(algorithm, limit: 64))) are not supported")
        case CertificateError.ErrorCode.unsupportedSignatureAlgorithm:
            .unreadable("it is signed by an algorithm that is not supported")
        default:
            .unreadable("its key or another of its fields is not encoded as RFC 5280 has it")
        }
    }
}
