import HTTP1Codec
import NIOCore

/// The requests on their way to one connection, as a plain value.
///
/// Small pieces of a body are gathered, to leave together when the connection is flushed, and no more is to be written
/// than a channel should hold. Only says what is to be written, and when.
struct RequestWriter {
    /// A body piece up to this size is copied, to leave with others.
    private static let smallPiece = 1024

    private var gathered = ByteBuffer()
    private var bodyIsChunked = false
    private var flushIsDue = false
    // Asked several times for each request, and a channel takes long to answer.
    private var channelIsWritable = true
    private var pendingWrites = PendingWrites()

    /// Indicates whether bytes of a request's body can be taken now.
    var isWritable: Bool { channelIsWritable && !pendingWrites.isFull }

    mutating func writabilityChanged(channelIsWritable: Bool) {
        self.channelIsWritable = channelIsWritable
    }

    // MARK: Writes

    /// Counts a write that is about to be made.
    ///
    /// - Returns: Whether ``writesTaken()`` is to be called when it is taken.
    mutating func isLastWrite(on context: ChannelHandlerContext) -> Bool { pendingWrites.isLast(on: context) }

    mutating func writesTaken() {
        pendingWrites.allTaken()
    }

    // MARK: Body

    /// Returns whether a whole body leaves together with its head.
    static func joinsHead(_ body: ByteBuffer) -> Bool { body.readableBytes <= HeadBuffer.coalescingLimit }

    /// Begins another request. What is gathered is to be written before its head.
    mutating func begin(bodyIsChunked: Bool) {
        self.bodyIsChunked = bodyIsChunked
    }

    enum AppendAction {
        case wait
        case writeGathered
        /// Write what is gathered, and then the piece as it is.
        case writeGatheredAndPiece
    }

    mutating func append(_ piece: ByteBuffer) -> AppendAction {
        if bodyIsChunked {
            ChunkedEncoding.writeChunk(piece, into: &gathered)
        } else if piece.readableBytes <= Self.smallPiece {
            gathered.writeImmutableBuffer(piece)
        } else {
            return .writeGatheredAndPiece
        }
        return gathered.readableBytes > HeadBuffer.coalescingLimit ? .writeGathered : .wait
    }

    mutating func end(trailers: FieldSection?) {
        guard bodyIsChunked else { return }
        ChunkedEncoding.writeLastChunk(trailers: trailers, into: &gathered)
    }

    /// - Returns: Nil when nothing is gathered.
    mutating func takeGathered() -> ByteBuffer? {
        guard gathered.readableBytes > 0 else { return nil }
        let bytes = gathered
        gathered = ByteBuffer()
        return bytes
    }

    // MARK: Flush

    /// - Returns: Whether that is new: a flush that is due already will do.
    mutating func flushRequested() -> Bool {
        guard !flushIsDue else { return false }
        flushIsDue = true
        return true
    }

    /// - Returns: Whether what is gathered is to be written, and flushed, now.
    mutating func flushBegins() -> Bool {
        guard flushIsDue else { return false }
        flushIsDue = false
        return true
    }
}
