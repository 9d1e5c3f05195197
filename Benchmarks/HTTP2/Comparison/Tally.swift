/// Counts what an implementation has handed over.
struct Tally {
    private(set) var heads = 0
    private(set) var ends = 0
    private(set) var bodyBytes = 0
    private(set) var unexpectedHeads = 0

    /// - Parameter isExpected: Whether the method or the status is the right one.
    mutating func countHead(isExpected: Bool) {
        heads += 1
        if !isExpected { unexpectedHeads += 1 }
    }

    mutating func countBody(_ bytes: Int) {
        bodyBytes += bytes
    }

    mutating func countEnd() {
        ends += 1
    }
}
