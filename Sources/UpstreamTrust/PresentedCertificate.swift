import Bytes
import SwiftASN1
import X509

/// A certificate as it came: its octets, and what could be made of them.
struct PresentedCertificate: Sendable {
    let octets: [UInt8]
    /// nil when it cannot be read; ``problem`` says why.
    let certificate: Certificate?
    let problem: Problem?

    enum Problem: Equatable {
        case weakKey(String)
        case unreadable(String)
    }

    init(octets: [UInt8]) {
        self.octets = octets
        guard octets.count <= ChainVerifier.maximumOctets else {
            self.certificate = nil
            let limit = ChainVerifier.maximumOctets
            self.problem = .unreadable("it has \(octets.count) octets, and at most \(limit) are read")
            return
        }
        do {
            let certificate = try Certificate(derEncoded: octets)
            let isWhole = try CertificateOctets.unusedSignatureBits(certificate: octets) == 0
            self.certificate = isWhole ? certificate : nil
            self.problem = isWhole ? nil : .unreadable("its signature is not a whole number of octets")
        } catch {
            self.certificate = nil
            self.problem = Self.problem(of: octets, error: error)
        }
    }

    init(_ certificate: Certificate) {
        var serializer = DER.Serializer()
        // Three stretches of octets that were parsed before are put in a row: nothing in it can throw. Were it to, the
        // certificate would have no octets and its pins would match nothing.
        try? serializer.serialize(certificate)
        self.octets = serializer.serializedBytes
        self.certificate = certificate
        self.problem = nil
    }

    /// The DER SubjectPublicKeyInfo, nil when there is none to be found.
    var publicKeyOctets: ArraySlice<UInt8>? {
        guard self.octets.count <= ChainVerifier.maximumOctets else { return nil }
        return try? CertificateOctets.subjectPublicKeyInfo(certificate: self.octets)
    }

    private static func problem(of octets: [UInt8], error: any Error) -> Problem {
        guard let key = try? CertificateOctets.subjectPublicKeyInfo(certificate: octets) else {
            return .unreadable("it is not a DER certificate")
        }
        if let bits = CertificateOctets.rsaModulusBits(subjectPublicKeyInfo: key), bits < 2048 {
            return .weakKey("an RSA key of \(bits) bits, and fewer than 2048 are not accepted")
        }
        let algorithm = CertificateOctets.keyAlgorithm(subjectPublicKeyInfo: key).map { "\($0)" } ?? "without a name"
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
