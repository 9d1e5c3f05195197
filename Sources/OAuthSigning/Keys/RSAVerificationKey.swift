import Crypto
import CryptoExtras
import FoundationEssentials

/// The public half of an ``RSASigningKey``.
package struct RSAVerificationKey: Sendable {
    let key: _RSA.Signing.PublicKey

    init(key: _RSA.Signing.PublicKey) { self.key = key }

    /// - Parameter pem: SubjectPublicKeyInfo or PKCS#1 PEM, 1024 bits or more.
    package init(pem: String) throws(SigningError) {
        do {
            key = try _RSA.Signing.PublicKey(unsafePEMRepresentation: pem)
        } catch {
            throw .publicKeyUnreadable
        }
    }

    package func isValid(signature: [UInt8], of message: ArraySlice<UInt8>, digest: HashAlgorithm) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: signature)
        return switch digest {
        case .sha1: isValid(signature, for: Insecure.SHA1.hash(data: message))
        case .sha256: isValid(signature, for: SHA256.hash(data: message))
        case .sha512: isValid(signature, for: SHA512.hash(data: message))
        }
    }

    private func isValid(_ signature: _RSA.Signing.RSASignature, for digest: some Digest) -> Bool {
        key.isValidSignature(signature, for: digest, padding: .insecurePKCS1v1_5)
    }
}
