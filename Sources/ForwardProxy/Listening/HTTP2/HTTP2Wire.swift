import HTTP2Codec
import NIOCore

/// A client's HTTP/2 connection, as its handler and its streams share it: what comes is the handler's, what is sent may be
/// of either, and goes out with what else the turn of the event loop brings.
///
/// Writes to the channel as ``HTTP2Output`` says, and sees what the client takes of that.
final class HTTP2Wire: FlushedAtTurnEnd {
    var connection: HTTP2Connection
    /// The context of the handler; nil while that is in no channel.
    private(set) var context: ChannelHandlerContext?
    private let turn: EventLoopTurn
    private var output = HTTP2Output()
    private var progress: HTTP2ClientProgress
    private var seconds: SecondsCounter
    /// The rest of ``BodyWindow/spare``.
    private var spareWindow = BodyWindow.spare

    init(_ connection: HTTP2Connection, turn: EventLoopTurn, clock: any ProxyClock) {
        self.connection = connection
        self.turn = turn
        progress = HTTP2ClientProgress(begun: clock.coarseNow)
        seconds = SecondsCounter(since: clock.now)
    }

    func attach(to context: ChannelHandlerContext) {
        self.context = context
        _ = output.writabilityChanged(isWritable: context.channel.isWritable)
    }

    func detach() {
        context = nil
    }

    // MARK: Input

    /// Notes that time has passed.
    func tick(at now: NIODeadline) {
        connection.tick(seconds: seconds.passed(until: now))
    }

    /// Takes what one read has brought.
    ///
    /// - Parameter react: Takes whatever the connection has to say of it. What that writes is flushed behind the read.
    func receive(_ bytes: ByteBuffer, at now: NIODeadline, react: () -> Void) {
        tick(at: now)
        connection.receive(bytes)
        output.readBegan()
        react()
        output.readEnded()
    }

    /// Returns whether the channel, which asks for that, is to be read now.
    ///
    /// - Parameter isOpen: Whether answers may be brought about: a client that does not take those it is sent gets no
    ///   more of them, and so is not read either.
    func mayRead(isOpen: Bool) -> Bool {
        output.readRequested(isFull: isOpen && connection.waitingBytes >= HTTP2Output.waitingLimit)
    }

    /// Indicates whether the channel has to wait for being read.
    var holdsRead: Bool { output.holdsRead }

    // MARK: Windows

    /// Gives back what was taken of a stream's window.
    ///
    /// - Parameter hasCaughtUp: Whether nothing that has come waits to be taken.
    func giveBack(_ window: inout BodyWindow, of id: HTTP2StreamID, hasCaughtUp: Bool) {
        window.taken(id, on: &connection, hasCaughtUp: hasCaughtUp, spare: &spareWindow)
    }

    /// Gives back what a stream's window has of the spare bytes. Nothing of it is held any more.
    func release(_ window: inout BodyWindow) {
        window.release(to: &spareWindow)
    }

    // MARK: Output

    /// Indicates whether the channel is to be given more.
    var isWritable: Bool { output.isWritable }

    /// - Returns: Whether the channel is to be read, which had to wait.
    func writabilityChanged(to isWritable: Bool) -> Bool {
        output.writabilityChanged(isWritable: isWritable)
    }

    /// Writes what there is, with what else this turn of the event loop brings.
    func flush() {
        if output.flushRequested() { turn.flushAtEnd(self) }
    }

    func flushNow() {
        guard output.flushBegan(), let context, connection.hasOutput else { return }
        let bytes = connection.takeOutput()
        progress.written(bytes: bytes.readableBytes)
        context.writeAndFlush(NIOAny(bytes), promise: nil)
    }

    /// Indicates whether all that was sent has gone out.
    var hasSentAll: Bool { connection.isIdle && !connection.hasOutput && unsentBytes == 0 }

    /// The number of bytes that were written and that the system has not taken.
    private var unsentBytes: Int { context?.channel.unsentBytes ?? 0 }

    /// The number of bytes that the client has not taken, those that wait for its windows included.
    private var untakenBytes: Int { unsentBytes + connection.keptBytes }

    // MARK: Progress

    /// Some of a request's body has come.
    func received(bytes: Int, at now: NIODeadline) {
        progress.received(bytes: bytes, at: now)
    }

    /// A request has begun, and there is no other.
    func requestBegan(at now: NIODeadline) {
        progress.requestBegan(at: now, unsent: untakenBytes)
    }

    /// The time at which the requests in flight last made any.
    var lastProgress: NIODeadline { progress.lastMade }

    /// Returns the time since which the client has taken nothing of what waits to be sent; nil: nothing waits.
    func lastTaken(at now: NIODeadline) -> NIODeadline? {
        progress.lastTaken(unsent: untakenBytes, acknowledged: context?.channel.acknowledgedBytes ?? 0, at: now)
    }

    /// The same for what the system has taken too.
    func lastTakenOfChannel(at now: NIODeadline) -> NIODeadline? {
        context.flatMap { progress.lastTaken(of: $0.channel, at: now) }
    }

    /// Returns whether the client may have taken some of what was written within this time.
    func isTaking(at now: NIODeadline, within time: TimeAmount) -> Bool {
        progress.isTaking(unsent: unsentBytes, at: now, within: time)
    }

    /// Returns whether the client, for which bytes of this stream wait, has lately taken some: of the stream, or of any
    /// other if that is what the stream waits for.
    func isTaking(_ id: HTTP2StreamID, at now: NIODeadline, within time: TimeAmount) -> Bool {
        if connection.pendingBytes(id) > 0, !connection.isStalled(id, seconds: secondsToStall(time)) { return true }
        return isTaking(at: now, within: time)
    }

    /// Resets streams of which nothing has been taken for this time, and that are over but for what is left to be sent:
    /// it may wait for a window that the client never opens.
    func resetStalled(for time: TimeAmount, isOver: (HTTP2StreamID) -> Bool) {
        for id in connection.stalledStreams(seconds: secondsToStall(time)) where isOver(id) {
            connection.reset(id, code: .cancel)
        }
    }

    private func secondsToStall(_ time: TimeAmount) -> Int { max(1, Int(time.nanoseconds / 1_000_000_000)) }
}

@available(*, unavailable)
extension HTTP2Wire: Sendable {}
