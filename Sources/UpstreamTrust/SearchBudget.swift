/// A number of steps that one decision may still take.
struct SearchBudget {
    private var remaining: Int

    init(_ steps: Int) {
        self.remaining = steps
    }

    /// Takes as many of the steps wanted as are left.
    mutating func take(_ wanted: Int) -> Int {
        let taken = min(wanted, max(self.remaining, 0))
        self.remaining -= wanted
        return taken
    }

    /// More was wanted than there was.
    var isExceeded: Bool { self.remaining < 0 }
}
