import FoundationEssentials

/// The lifetimes of certificates, in seconds.
enum Lifetime {
    /// Clients' clocks may be behind by this much.
    static let backDating: TimeInterval = 3600
    /// Ten years at most, counted without leap days; both ends of a validity belong to it.
    static let authority: TimeInterval = 3650 * 86_400 - 1
    static let leaf: TimeInterval = 7 * 86_400 - 1
}
