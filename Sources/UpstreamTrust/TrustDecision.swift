/// The decision on whether a presented chain may be used.
package enum TrustDecision: Equatable, Sendable {
    case accepted(AcceptedPath)
    case refused(TrustFailure)

    /// - Throws: The failure, when the chain was refused.
    package func get() throws(TrustFailure) -> AcceptedPath {
        switch self {
        case .accepted(let accepted): return accepted
        case .refused(let failure): throw failure
        }
    }
}
