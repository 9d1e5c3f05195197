package import UpstreamTrust

/// The certificates that a server presented, and what a policy has to say of them.
package struct ProbedServer: Sendable {
    /// The DER of the certificates, the server's own first.
    package let presentedDER: [[UInt8]]
    package let decision: TrustDecision
}
