import NIOCore

/// The writes to a client that are under way.
struct ClientOutput {
    /// Indicates whether some are flushed at the end of the turn of the event loop.
    private(set) var flushIsDue = false
    private var pending = PendingWrites()

    /// Indicates whether no more should be written before the client has taken some.
    var isFull: Bool { pending.isFull }

    /// Counts a write that is about to be made.
    ///
    /// - Returns: Whether it is the last one before ``allTaken()``: it is to be written with ``promise(on:onTaken:)``.
    mutating func isLast(on context: ChannelHandlerContext) -> Bool { pending.isLast(on: context) }

    func promise(on context: ChannelHandlerContext, onTaken: @escaping () -> Void) -> EventLoopPromise<Void> {
        PendingWrites.promise(on: context, onTaken: onTaken)
    }

    mutating func allTaken() {
        pending.allTaken()
    }

    /// - Returns: False when a flush is due already.
    mutating func flushAtTurnEnd() -> Bool {
        guard !flushIsDue else { return false }
        flushIsDue = true
        return true
    }

    mutating func flushBegan() {
        flushIsDue = false
    }
}
