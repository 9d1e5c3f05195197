/// Tells when most of many connections have ended, so that it is worth while to give their memory back.
struct ConnectionPeak {
    /// From how many on it is.
    static let many = 1000
    /// The divisor for what is left of them by then: a quarter.
    private static let share = 4

    /// The most that were open since it was told the last time.
    private var most = 0

    /// - Parameter open: How many connections there are now.
    /// - Returns: Whether most have ended; once for each time that they do.
    mutating func note(_ open: Int) -> Bool {
        if open > most { most = open }
        guard most >= Self.many, open <= most / Self.share else { return false }
        most = open
        return true
    }
}
