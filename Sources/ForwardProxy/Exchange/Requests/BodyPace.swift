import NIOCore

/// The least speed of a body that is held until it is whole: at any time the last 10,000 bytes of it, or all that has
/// come, have taken no more than 20 s. A fast beginning earns no time for a slow end.
struct BodyPace {
    private static let window = TimeAmount.seconds(20)
    private static let bytesPerWindow = 10_000

    private var windowStart: NIODeadline
    private var bytes = 0

    init(start: NIODeadline) {
        windowStart = start
    }

    mutating func received(_ count: Int, at now: NIODeadline) {
        bytes += count
        guard bytes >= Self.bytesPerWindow else { return }
        bytes = 0
        windowStart = now
    }

    /// The time left for the rest of the window; none when the body has come too slowly.
    func timeLeft(at now: NIODeadline) -> TimeAmount {
        windowStart + Self.window - now
    }
}
