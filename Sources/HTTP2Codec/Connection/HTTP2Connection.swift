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

    var input = InputBuffer()
    var phase: ReadingPhase
    var unfinishedBlock: UnfinishedBlock?
    var failure: HTTP2ConnectionError?
    var following = FollowingEvents()
    var output = FrameOutput()

    var decoder: HeaderBlockDecoder
    var encoder = HeaderBlockEncoder()

    var streams = StreamTable()
    /// The highest number that has been used: by the peer's HEADERS for a server, by ours for a client.
    var highestStreamID = HTTP2StreamID.connection
    /// A client's next number; above 2^31-1 when all are used.
    var nextStreamID: HTTP2StreamID = 1
    /// Streams that we reset, on which frames may still be under way.
    var resetStreams = RecentStreams(capacity: 256)
    var endedStreams = RecentStreams(capacity: 32)

    var peer = PeerSettings()
    /// Whether the peer's first frame has come, which is SETTINGS.
    package internal(set) var hasPeerSettings = false
    /// Whether the peer has acknowledged our settings, so that they hold.
    var isAcknowledged = false
    /// The highest stream that our GOAWAY admits; `nil` before it.
    var admittedStreamID: HTTP2StreamID?
    var hasReceivedGoAway = false

    var sendWindow = PeerSettings.initialWindow
    var receiveWindow: Int
    var turns = TurnQueue()
    /// Of all streams together.
    var progress = SendingProgress()

    var abandonedStreams: ProgressBudget
    var idleFrames: ProgressBudget
    var waitingAnswers = 0
    var seconds = 0

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
        phase = role == .server ? .preface(0) : .header
        decoder = HeaderBlockDecoder(limits: messageLimits)
        receiveWindow = settings.connectionWindow
        abandonedStreams = ProgressBudget(limit: limits.abandonedStreams)
        idleFrames = ProgressBudget(limit: limits.idleFrames)
        writeBeginning()
    }

    package mutating func receive(_ bytes: ByteBuffer) {
        if failure == nil { input.append(bytes) }
    }

    /// - Returns: The next event, or `nil` if more bytes are needed.
    /// - Throws: Why the connection is over, and the same again at each later call. GOAWAY is in the output then.
    package mutating func next() throws(HTTP2ConnectionError) -> HTTP2Event? {
        if let failure = self.failure { throw failure }
        do throws(HTTP2ConnectionError) {
            return try advance()
        } catch {
            fail(error)
            throw error
        }
    }

    package var hasOutput: Bool { !output.isEmpty }

    /// The bytes that are to be sent now.
    package var waitingBytes: Int { output.isEmpty ? 0 : output.buffer.readableBytes }

    /// Takes everything that is to be sent now. The storage is used again once the caller has let go of the buffer.
    package mutating func takeOutput() -> ByteBuffer {
        waitingAnswers = 0
        // A connection without streams may stay like that for long, among thousands of others.
        return output.take(keepingAtMost: streams.count == 0 ? 2_048 : 65_536)
    }
}
