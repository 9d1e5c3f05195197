import FoundationEssentials

/// A request that has begun and not ended, as far as `paraph top` shows it.
struct TopRequestInFlight: Decodable, Sendable {
    private enum CodingKeys: CodingKey {
        case begun
    }

    /// The number that it has until it ends.
    let begun: Int
    let head: TopRequestHead

    /// The number stands beside the members of the head, in the same object.
    init(from decoder: any Decoder) throws {
        begun = try decoder.container(keyedBy: CodingKeys.self).decode(Int.self, forKey: .begun)
        head = try TopRequestHead(from: decoder)
    }

    /// Returns the time that has passed since it began, by this machine's clock.
    func age(at now: Date) -> Duration {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let start = try? Date(head.time, strategy: style) else { return .zero }
        return .milliseconds(max(0, Int(now.timeIntervalSince(start) * 1_000)))
    }

    /// Returns whether it has all these words, as a request that has ended.
    func matches(_ filter: String) -> Bool { head.matches(filter, with: ["in flight"]) }

    func columns(after elapsed: Duration) -> [String] {
        let (seconds, attoseconds) = elapsed.components
        let microseconds = Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)
        return head.columns(status: "...", microseconds: microseconds)
    }
}
