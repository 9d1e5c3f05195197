import NIOCore

/// The least speed of a body that is held until it is whole: 20 s, and one more for each 500 bytes of it.
struct BodyPace {
    private static let grace = TimeAmount.seconds(20)
    private static let bytesPerSecond: Int64 = 500

    let start: NIODeadline
    private var bytes = 0

    init(start: NIODeadline) {
        self.start = start
    }

    mutating func received(_ count: Int) {
        bytes += count
    }

    /// The time left for the next byte; none when the body has come too slowly.
    func timeLeft(at now: NIODeadline) -> TimeAmount {
        start + Self.grace + .nanoseconds(Int64(bytes) * (1_000_000_000 / Self.bytesPerSecond)) - now
    }
}
