/// One implementation on one side of a connection, in a channel that it has added its handlers to.
protocol Contestant: AnyObject {
    /// The counts of what it has handed over so far.
    var tally: Tally { get }

    /// Answers the oldest requests, or sends new ones, and flushes what that makes.
    func send(_ count: Int) throws
}
