/// The progress of watching a store's changes.
package struct CredentialWatchState: Sendable, Equatable {
    /// A time in which changes are not seen.
    package struct Outage: Sendable, Equatable {
        package var since: ContinuousClock.Instant
        /// The latest reason.
        package var reason: VaultError

        package init(since: ContinuousClock.Instant, reason: VaultError) {
            self.since = since
            self.reason = reason
        }
    }

    /// The last of the store's revisions whose changes were told; nil when it is not known what has changed.
    package var revision: Int64?
    /// The time in which changes are not seen; nil when they are, or are about to be for the first time.
    package var interruption: Outage?

    package init() {}

    /// Indicates whether changes are seen as they come, so that the store answers.
    package var isGoingOn: Bool { revision != nil && interruption == nil }
}
