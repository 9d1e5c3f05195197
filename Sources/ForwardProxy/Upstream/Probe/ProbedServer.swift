package import UpstreamTrust

/// What a server presented, and what a policy has to say of it.
package struct ProbedServer: Sendable {
    /// The DER of the certificates, the server's own first.
    package let presentedDER: [[UInt8]]
    package let decision: TrustDecision
}
