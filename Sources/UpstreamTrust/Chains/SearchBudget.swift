/// A number of steps that one decision may still take.
struct SearchBudget {
    private var remaining: Int

    init(_ steps: Int) {
        remaining = steps
    }

    /// Takes as many of the steps wanted as are left.
    mutating func take(_ wanted: Int) -> Int {
        let taken = min(wanted, max(remaining, 0))
        remaining -= wanted
        return taken
    }

    /// The number of steps that it takes to look at so many bytes.
    static func price(ofBytes count: Int) -> Int { 1 + count / 32 }

    /// More was wanted than there was.
    var isExceeded: Bool { remaining < 0 }
}
