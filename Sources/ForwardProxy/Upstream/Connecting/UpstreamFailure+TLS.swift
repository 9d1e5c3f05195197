import NIOSSL

extension UpstreamFailure {
    /// Returns why TLS with an upstream did not come about.
    ///
    /// - Parameter error: Of TLS; nil where the connection ended without one.
    static func connecting(_ verdict: CertificateVerdict?, _ error: (any Error)?) -> UpstreamFailure {
        if let failure = verdict?.failure { return .notTrusted(failure) }
        guard let error else { return .handshake("the peer closed the connection during the handshake") }
        if TLSWords.refusesProtocols(error) { return .protocolsRefused }
        return clientCertificate(error) ?? .handshake(TLSWords.describe(error))
    }

    /// Returns why a connection ended that had been established.
    ///
    /// - Parameter error: The first one on it; nil where there was none.
    static func established(_ error: (any Error)?) -> UpstreamFailure {
        guard let error = error as? BoringSSLError else { return .closed }
        return clientCertificate(error) ?? .brokenTLS(TLSWords.describe(error))
    }

    /// Servers of TLS 1.3 refuse a client's certificate, or its absence, when the handshake is over for the client.
    ///
    /// - Returns: Nil for any other error.
    private static func clientCertificate(_ error: any Error) -> UpstreamFailure? {
        TLSWords.asksForCertificate(error) ? .clientCertificateRefused(TLSWords.describe(error)) : nil
    }
}
