/// Counts what a peer does that helps nobody, against a bound; progress takes some of it off again.
struct ProgressBudget: Sendable {
    let limit: Int
    private(set) var used = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// - Returns: Whether the bound still holds.
    mutating func spend() -> Bool {
        self.used &+= 1
        return self.used <= self.limit
    }

    mutating func restore(_ count: Int) {
        self.used = max(0, self.used &- count)
    }
}
