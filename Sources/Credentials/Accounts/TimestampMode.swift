/// The source of `oauth_timestamp`.
package enum TimestampMode: String, Sendable, CaseIterable {
    /// The clock.
    case wall
    /// The clock, but always later than the time before.
    case monotonic
}
