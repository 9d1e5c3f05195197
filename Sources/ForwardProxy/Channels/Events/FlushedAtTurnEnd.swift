/// A connection that ``EventLoopTurn`` flushes.
protocol FlushedAtTurnEnd: AnyObject {
    /// Writes to the connection what there is.
    func flushNow()
}
