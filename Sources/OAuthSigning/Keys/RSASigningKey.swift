import Crypto
import CryptoExtras
import FoundationEssentials

/// An RSA private key that signs with PKCS#1 v1.5 padding (RFC 5849, section 3.4.3).
package struct RSASigningKey: Sendable {
    let key: _RSA.Signing.PrivateKey

    /// - Parameter pem: One unencrypted private key, PKCS#1 or PKCS#8, of 1024 bits or more (test keys and old
    ///   providers still have 1024).
    package init(pem: Secret) throws(SigningError) {
        do {
            key = try _RSA.Signing.PrivateKey(unsafePEMRepresentation: pem.revealed())
        } catch CryptoKitError.incorrectParameterSize {
            throw .privateKeyTooSmall
        } catch {
            throw .privateKeyUnreadable
        }
    }

    /// The key that the signatures of this key are verified with.
    package var verificationKey: RSAVerificationKey { RSAVerificationKey(key: key.publicKey) }

    /// The raw signature of `message`, as many bytes as the modulus has.
    func signature(of message: ArraySlice<UInt8>, digest: HashAlgorithm) throws(SigningError) -> [UInt8] {
        do {
            return switch digest {
            case .sha1: Array(try signature(for: Insecure.SHA1.hash(data: message)))
            case .sha256: Array(try signature(for: SHA256.hash(data: message)))
            case .sha512: Array(try signature(for: SHA512.hash(data: message)))
            }
        } catch {
            throw .signatureFailed
        }
    }

    private func signature(for digest: some Digest) throws -> Data {
        try key.signature(for: digest, padding: .insecurePKCS1v1_5).rawRepresentation
    }
}

extension RSASigningKey: CustomStringConvertible, CustomReflectable {
    package var description: String { "RSA private key, \(key.keySizeInBits) bits" }
    package var customMirror: Mirror { Mirror(reflecting: description) }
}

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
