/// The part of a certificate that a pin is the digest of.
package enum PinningMode: String, CaseIterable, Sendable {
    /// The DER SubjectPublicKeyInfo: survives a renewal that keeps the key.
    case publicKey = "public_key"
    /// The whole DER certificate.
    case certificate
}
