/// Counts what a peer does that helps nobody, against a bound; progress takes some of it off again.
struct ProgressBudget: Sendable {
    let limit: Int
    private(set) var used = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: Whether the bound still holds.
    mutating func spend() -> Bool {
        used &+= 1
        return used <= limit
    }

    mutating func restore(_ count: Int) {
        used = max(0, used &- count)
    }
}
