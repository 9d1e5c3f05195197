import NIOCore

/// The orderly close of a connection (RFC 9112, section 9.6), which loses nothing of what was written to it, as a plain
/// value.
///
/// 1. As it begins the last bytes are on their way, by ``ChannelHandlerContext/flush(writing:whenTaken:)``. The system
///    has to take all of them: a close before that would drop the rest. A peer that takes nothing has no more time for it
///    than for any other step.
/// 2. ``outputTaken(inputHasEnded:)`` ends the output, so that the peer sees the end.
/// 3. What the peer still sends is taken for ``lingerTime`` and dropped, so that a reset does not overtake the last
///    bytes; by a tunnel, which has another direction, it is passed on.
/// 4. The connection is closed when that time is over, ``timeIsOver(hasTaken:)``, or when the peer sends nothing more,
///    ``inputClosed()``.
struct OrderlyClose: Equatable {
    static let lingerTime = TimeAmount.seconds(2)

    /// The time for which the peer's close_notify is waited for once a TLS connection is closed for good. All that had to
    /// reach the peer has been flushed by then, or is to be cut off; many peers never send it.
    static let closeNotifyTime = TimeAmount.milliseconds(100)

    /// Indicates whether the peer has been told the end.
    private(set) var outputHasEnded = false

    enum OutputTakenAction: Equatable {
        case none
        /// End the output, and take what still comes.
        case endOutput
        /// End the output, and close: the peer sends nothing more.
        case close
    }

    /// The system has taken everything.
    mutating func outputTaken(inputHasEnded: Bool) -> OutputTakenAction {
        guard !outputHasEnded else { return .none }
        outputHasEnded = true
        return inputHasEnded ? .close : .endOutput
    }

    enum InputClosedAction: Equatable {
        /// The output is still on its way, and ``outputTaken(inputHasEnded:)`` closes the connection.
        case none
        case close
    }

    /// The peer sends nothing more.
    func inputClosed() -> InputClosedAction { outputHasEnded ? .close : .none }

    enum TimeIsOverAction: Equatable {
        /// Wait as long again.
        case wait
        case close
    }

    /// - Parameter hasTaken: Whether the peer has taken some of what is written since the time was asked for.
    func timeIsOver(hasTaken: Bool) -> TimeIsOverAction { hasTaken && !outputHasEnded ? .wait : .close }
}
