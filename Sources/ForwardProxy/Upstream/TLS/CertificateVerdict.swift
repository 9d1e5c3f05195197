import UpstreamTrust

/// The place where the verification of one connection's certificates leaves what it saw and decided, because the TLS
/// library reports any refusal as the same error. Bound to the connection's event loop.
final class CertificateVerdict {
    /// The certificates that the server presented, as DER, its own first.
    var presentedDER: [[UInt8]] = []
    var failure: TrustFailure?
}

@available(*, unavailable)
extension CertificateVerdict: Sendable {}
