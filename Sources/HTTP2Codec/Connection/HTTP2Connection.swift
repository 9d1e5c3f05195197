package import HTTP1Codec
package import NIOCore

/// One HTTP/2 connection (RFC 9113), as a plain value: bytes in, events out, bytes to send.
///
/// Pass what arrives to `receive`, then call `next()` until it returns `nil`; do so after sending calls as well,
/// because these can have events too. Then write what `takeOutput()` gives, but only while the channel is writable:
/// answers that wait here are counted, those that wait in a channel are not.
///
/// A call for a stream that is gone does nothing, since the peer may have reset it a moment ago. What is sent with
/// `sendData` and exceeds the windows is kept: send no more on a stream while `pendingBytes` is above 0; `writable`
/// says when.
///
/// There is no clock: a caller reports the time that passes with `tick(seconds:)`.
package struct HTTP2Connection: Sendable {
    package let role: HTTP2Role
    let settings: HTTP2Settings
    let limits: HTTP2Limits
    let messageLimits: MessageLimits

    var frames: FrameInput
    var following = FollowingEvents()
    var output = FrameOutput()

    var decoder: HeaderBlockDecoder
    var encoder = HeaderBlockEncoder()

    var streams = StreamTable()
    var numbers = StreamNumbers()

    var settingsExchange = SettingsExchange()
    var ending = ConnectionEnding.open

    var sendWindow = SendWindow()
    /// Streams that are about to be opened, to which a share of the connection's window is left.
    package var expectedStreams = 0
    var receiveWindow: ReceiveWindow
    var turns = TurnQueue()

    var budgets: AbuseBudgets
    /// The time that has been reported.
    private(set) var seconds = 0

    /// Begins the connection: the client's preface, SETTINGS, and WINDOW_UPDATE for the connection are in the output.
    package init(
        role: HTTP2Role,
        settings: HTTP2Settings = HTTP2Settings(),
        limits: HTTP2Limits = HTTP2Limits(),
        messageLimits: MessageLimits = MessageLimits()
    ) {
        self.role = role
        self.settings = settings
        self.limits = limits
        self.messageLimits = messageLimits
        frames = FrameInput(role: role)
        decoder = HeaderBlockDecoder(limits: messageLimits)
        receiveWindow = ReceiveWindow(size: settings.connectionWindow)
        budgets = AbuseBudgets(limits)
        writeBeginning()
    }

    package mutating func receive(_ bytes: ByteBuffer) {
        if ending.failure == nil { frames.append(bytes) }
    }

    /// - Returns: The next event, or `nil` if more bytes are needed.
    /// - Throws: Why the connection is over, and the same again at each later call. GOAWAY is in the output then.
    package mutating func next() throws(HTTP2ConnectionError) -> HTTP2Event? {
        if let failure = ending.failure { throw failure }
        do throws(HTTP2ConnectionError) {
            return try advance()
        } catch {
            fail(error)
            throw error
        }
    }

    /// Indicates whether the peer's first frame has come, which is SETTINGS.
    package var hasPeerSettings: Bool { settingsExchange.stage != .awaitingPeer }

    package var hasOutput: Bool { !output.isEmpty }

    /// The bytes that are to be sent now.
    package var waitingBytes: Int { output.isEmpty ? 0 : output.buffer.readableBytes }

    /// Takes everything that is to be sent now. The storage is used again once the caller has let go of the buffer.
    package mutating func takeOutput() -> ByteBuffer {
        budgets.outputTaken()
        // A connection without streams may stay like that for long, among thousands of others.
        return output.take(keepingAtMost: streams.count == 0 ? 2_048 : 65_536)
    }
}

/// The interface for a caller's timers; the connection itself has no clock.
extension HTTP2Connection {
    /// Reports that whole seconds have passed, so that the limits forgive a little and stalls are noticed. To call it
    /// late, or for many seconds at once, is fine; never to call it only makes the limits stricter.
    package mutating func tick(seconds: Int = 1) {
        self.seconds += seconds
        budgets.tick(seconds: seconds)
    }

    /// Streams for which bytes have been kept that long while the peer opened no window worth mentioning: the stream's,
    /// or where that is open, the connection's, at which all such streams take turns.
    package func stalledStreams(seconds: Int) -> [HTTP2StreamID] {
        streams.places.compactMap { place in
            isStalled(at: place, seconds: seconds) ? streams[place].streamID : nil
        }
    }

    /// Returns whether the stream is one of ``stalledStreams(seconds:)``.
    package func isStalled(_ streamID: HTTP2StreamID, seconds: Int) -> Bool {
        streams.place(of: streamID).map { isStalled(at: $0, seconds: seconds) } ?? false
    }

    private func isStalled(at place: Int, seconds: Int) -> Bool {
        guard !streams[place].kept.isEmpty else { return false }
        var since = streams[place].progress.stalledSince
        if streams[place].isQueued { since = max(since, sendWindow.progress.stalledSince) }
        return self.seconds - since >= seconds
    }

    /// Bytes that are kept for all streams together.
    package var keptBytes: Int {
        streams.places.reduce(0) { $0 + streams[$1].kept.bytes }
    }

    /// The stream whose header block has begun and is not complete; that of the connection as long as its preface is
    /// not.
    package var streamOfUnfinishedHead: HTTP2StreamID? { frames.streamOfUnfinishedHead }

    /// Bytes that have come and are part of no event yet: of a frame that is not whole, and of a header block that is
    /// not, with the room that is kept for more of it.
    package var bufferedBytes: Int { frames.bufferedBytes }
}

/// The end of a connection (RFC 9113, sections 5.4.1 and 6.8).
extension HTTP2Connection {
    /// Indicates whether either side has announced the end, so that no stream is opened any more.
    package var isGoingAway: Bool { ending != .open }

    /// Announces the end; streams that are open go on. A graceful end has two calls, at least a round trip apart: the
    /// first admits later streams, which may be under way, the second does not.
    ///
    /// - Parameters:
    ///   - refusingLaterStreams: Whether the peer is told the highest stream that is processed. Later ones are ignored
    ///     then, and a client knows that it may repeat them.
    ///   - debugText: Additional debug data for the peer's log.
    package mutating func goAway(
        _ code: HTTP2ErrorCode = .noError,
        refusingLaterStreams: Bool,
        debugText: String = ""
    ) {
        let last = refusingLaterStreams ? highestProcessedStreamID : HTTP2StreamID.last
        guard ending.announce(admitting: last) else { return }
        output.buffer.writeGoAway(lastStreamID: last, code: code, debugText: debugText)
    }

    /// Lets go of ``bufferedBytes``; to be called when `next()` is not any more.
    package mutating func dropBuffered() {
        frames.drop()
    }

    /// Asks the peer for a sign of life; `pong` brings the value back.
    package mutating func sendPing(_ value: UInt64) {
        if ending.failure == nil { output.buffer.writePing(value, isAcknowledgement: false) }
    }

    mutating func fail(_ error: HTTP2ConnectionError) {
        output.buffer.writeGoAway(
            lastStreamID: highestProcessedStreamID,
            code: error.code,
            debugText: error.description
        )
        ending = .failed(error)
        dropBuffered()
        streams = StreamTable()
        sendWindow.releaseAll()
        turns = TurnQueue()
    }

    /// The highest stream of the peer that has been or may be processed; a server opens none.
    private var highestProcessedStreamID: HTTP2StreamID {
        guard role == .server else { return .connection }
        return min(numbers.highest, ending.admitted ?? .last)
    }
}

/// The end of a connection that this is.
package enum HTTP2Role: Sendable, Equatable {
    case client
    case server
}
