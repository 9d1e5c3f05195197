package import X509

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

/// A path that is valid, and what there is to say about its pins.
package struct AcceptedPath: Equatable, Sendable {
    /// The certificates, leaf first and trusted root last; one certificate when they are the same.
    package var path: [Certificate]
    /// A pin mismatch that the policy lets through.
    package var reported: TrustFailure?
    /// Pins are enforced and every one of them is of a certificate on this very path: none is left for the day on which
    /// its keys change.
    package var lacksBackupPin: Bool

    package init(path: [Certificate], reported: TrustFailure? = nil, lacksBackupPin: Bool = false) {
        self.path = path
        self.reported = reported
        self.lacksBackupPin = lacksBackupPin
    }
}
