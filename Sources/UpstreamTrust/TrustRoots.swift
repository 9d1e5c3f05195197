package import X509

/// The certificates that a path may end at.
package enum TrustRoots: Equatable, Sendable {
    /// The roots that the system trusts.
    case system
    /// These, instead of the system's.
    case certificates([Certificate])
}
