/// The output of an HTTP/2 connection, as a plain value: when it is flushed, and whether it is so full that the peer is
/// not read.
struct HTTP2Output {
    /// Bytes that may wait for the channel before it is read no further.
    static let waitingLimit = 64 * 1024

    private enum Flush {
        case none
        /// All that one read brings about is flushed behind it.
        case afterRead
        /// The output is flushed at the end of this turn of the event loop.
        case due
    }

    private enum Room {
        case writable
        /// The channel is to be given no more.
        case full(readIsHeld: Bool)
    }

    private var flush = Flush.none
    private var room = Room.writable

    /// Indicates whether the channel is to be given more.
    var isWritable: Bool {
        if case .writable = room { true } else { false }
    }

    /// Indicates whether the peer is not read before there is room again.
    var holdsRead: Bool {
        if case .full(readIsHeld: true) = room { true } else { false }
    }

    mutating func readBegan() {
        if flush == .none { flush = .afterRead }
    }

    mutating func readEnded() {
        if flush == .afterRead { flush = .none }
    }

    /// Notes that bytes are to be flushed.
    ///
    /// - Returns: Whether that is to be arranged for the end of the turn: nothing else is going to flush it.
    mutating func flushRequested() -> Bool {
        guard flush == .none else { return false }
        flush = .due
        return true
    }

    /// Notes that all there is is flushed now.
    ///
    /// - Returns: Whether it may be written.
    mutating func flushBegan() -> Bool {
        if flush == .due { flush = .none }
        return isWritable
    }

    /// The channel asks to be read.
    ///
    /// - Parameter isFull: Whether too much waits to be written for more answers to be brought about.
    /// - Returns: Whether it is to be read.
    mutating func readRequested(isFull: @autoclosure () -> Bool) -> Bool {
        guard case .full = room, isFull() else { return true }
        room = .full(readIsHeld: true)
        return false
    }

    /// - Returns: Whether the channel is to be read, which had to wait.
    mutating func writabilityChanged(isWritable: Bool) -> Bool {
        let heldRead = holdsRead
        room = isWritable ? .writable : .full(readIsHeld: heldRead)
        return isWritable && heldRead
    }
}
