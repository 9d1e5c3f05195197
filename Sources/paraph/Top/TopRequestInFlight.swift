import FoundationEssentials

/// A request that has begun and not ended, as far as `paraph top` shows it.
struct TopRequestInFlight: Decodable, Sendable {
    /// The number that it has until it ends.
    let begun: Int
    let time: String
    let client: String?
    let api: String?
    let account: String?
    let method: String
    let scheme: String?
    let authority: String
    let path: String
    let query: String?

    /// Returns the time that has passed since it began, by this machine's clock.
    func age(at now: Date) -> Duration {
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        guard let start = try? Date(time, strategy: style) else { return .zero }
        return .milliseconds(max(0, Int(now.timeIntervalSince(start) * 1_000)))
    }

    private var target: String {
        TopRequest.target(method: method, scheme: scheme, authority: authority, path: path, query: query)
    }

    /// Returns whether it has all these words, as a request that has ended.
    func matches(_ filter: String) -> Bool {
        let texts = [method, target, api, account, client, "in flight"].compactMap(\.self)
        return TopRequest.matches(filter, texts.joined(separator: " "))
    }

    func columns(after elapsed: Duration) -> [String] {
        let (seconds, attoseconds) = elapsed.components
        return TopRequest.columns(
            time: time,
            status: "...",
            duration: TopRequest.duration(Int(seconds) * 1_000_000 + Int(attoseconds / 1_000_000_000_000)),
            method: method,
            client: client,
            owner: [api, account],
            target: target
        )
    }
}
