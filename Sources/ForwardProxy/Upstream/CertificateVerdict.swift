import UpstreamTrust

/// Where the verification of one connection's certificate leaves its reason, because the TLS library reports any
/// refusal as the same error. Bound to the connection's event loop.
final class CertificateVerdict {
    var failure: TrustFailure?

    init() {}
}

@available(*, unavailable)
extension CertificateVerdict: Sendable {}
