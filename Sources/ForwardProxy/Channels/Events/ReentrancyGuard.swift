/// The guard of a loop that hands over, or decodes, what has come: what that brings about must not do the same with what
/// follows, which has its turn in the loop that is under way.
struct ReentrancyGuard {
    /// Indicates whether the loop is under way.
    private(set) var isEntered = false

    /// Begins the loop; ``leave()`` is to be called behind it.
    ///
    /// - Returns: False when it is under way already: whoever runs it goes on with what has come meanwhile.
    mutating func enter() -> Bool {
        guard !isEntered else { return false }
        isEntered = true
        return true
    }

    mutating func leave() {
        isEntered = false
    }
}
