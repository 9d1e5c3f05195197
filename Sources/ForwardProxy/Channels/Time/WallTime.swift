package import FoundationEssentials

/// The time since 1970-01-01T00:00:00Z, without leap seconds.
package struct WallTime: Hashable, Sendable {
    package var seconds: Int64
    /// Of the second that has begun: less than 1,000,000,000.
    package var nanoseconds: Int64

    package init(seconds: Int64, nanoseconds: Int64) {
        self.seconds = seconds
        self.nanoseconds = nanoseconds
    }

    /// As certificates are judged by it.
    package var date: Date { Date(timeIntervalSince1970: Double(seconds) + Double(nanoseconds) / 1e9) }
}
