/// The pauses before something that failed is tried again: each twice as long as the one before, up to 16 times the first.
struct RetryPauses {
    private static let mostDoublings = 4

    let first: Duration
    private var count = 0

    init(first: Duration) { self.first = first }

    /// Up to a half longer, so that many who failed at once do not try again at once.
    mutating func next() -> Duration {
        defer { count = min(count + 1, Self.mostDoublings) }
        return first * (1 << count) * Double.random(in: 1..<1.5)
    }
}
