/// A chain that was not accepted: why, what the server presented, and what was asked of it.
package struct TrustFailure: Error, Equatable, Sendable {
    package var reason: TrustFailureReason
    package var serverName: ServerName
    /// The certificates in the order of the path as far as one was found, the ones beside it after them. At most
    /// ``ChainVerifier/maximumPresented`` and a root.
    package var presented: [CertificateSummary]
    /// How many more were presented than ``presented`` tells of.
    package var unseen: Int
    package var pinning: PinningPolicy?

    package var label: String { reason.label }
}

extension TrustFailure: CustomStringConvertible {
    package var description: String { sentence }
}
