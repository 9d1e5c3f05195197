import NIOCore

/// Bounds how many writes wait in a channel. The channel itself counts bytes alone, and a write of a single byte takes
/// hundreds of them, and keeps all that was received with it.
struct PendingWrites {
    private static let limit: UInt8 = 64

    /// Writes since the channel was last known to have none.
    private var count: UInt8 = 0
    /// Indicates whether no more should be written before those that wait are taken.
    var isFull: Bool { count == Self.limit }

    /// Counts a write that is about to be made.
    ///
    /// - Returns: Whether it is the last one before all that wait are taken: it is to be written with
    ///   ``promise(on:onTaken:)``.
    mutating func isLast(on context: ChannelHandlerContext) -> Bool {
        guard !isFull else { return false }
        count += 1
        guard isFull else { return false }
        if context.channel.unsentBytes == 0 {
            count = 1
            return false
        }
        return true
    }

    /// - Parameter onTaken: Called in a later turn of the event loop when the write and all before it are taken, or
    ///   lost with the channel.
    static func promise(on context: ChannelHandlerContext, onTaken: @escaping () -> Void) -> EventLoopPromise<Void> {
        let loop = context.eventLoop.assumeIsolated()
        let promise = context.eventLoop.makePromise(of: Void.self)
        // It may be told from within another write.
        promise.futureResult.assumeIsolated().whenComplete { _ in loop.execute(onTaken) }
        return promise
    }

    mutating func allTaken() {
        count = 0
    }
}
