import HTTP1Codec
import NIOCore

/// One stream that is open or half closed (RFC 9113, section 5.1); a closed one is not kept.
///
/// The two directions end apart from each other, so each has its own state. Open is: neither is `ended`; half closed:
/// one of them is.
struct HTTP2Stream: Sendable {
    enum Receiving: Sendable { case awaitingHead, body, dropping, ended }
    enum Sending: Sendable { case awaitingHead, body, ending, ended }

    let streamID: HTTP2StreamID
    var receiving = Receiving.awaitingHead
    var sending = Sending.awaitingHead
    /// The method of the request, which tells whether a response has a body.
    var method = RequestMethod.other
    /// The bytes that a Content-Length still lets come.
    var expected = BodyExpectation.unknown
    var informationalResponses = 0
    /// The bytes that the peer may send before any are given back.
    var window: Int
    /// The bytes that the peer may still send, below 0 after our SETTINGS made them fewer.
    var receiveWindow: Int
    /// The bytes that the caller has consumed and that are not yet given back to the peer.
    var consumed = 0
    /// The bytes that may still be sent, below 0 after the peer's SETTINGS made them fewer.
    var sendWindow: Int
    /// The bytes that were sent and the peer has not given back to the stream: perhaps nobody has read them.
    var heldBytes = 0
    var kept = KeptData()
    /// Indicates whether it waits for its turn at the connection's window.
    var isQueued = false
    /// The sending progress of kept bytes.
    var progress = SendingProgress()

    /// Counts a DATA frame.
    ///
    /// - Parameters:
    ///   - length: The length of the payload, with its padding.
    ///   - count: The bytes of data.
    mutating func receiveData(length: Int, count: Int) throws(HTTP2StreamError) {
        switch receiving {
        case .awaitingHead: throw .dataBeforeHead
        case .ended: throw .afterEnd
        case .body: try expected.receive(count)
        case .dropping: break
        }
        guard length == 0 || length <= receiveWindow else { throw .windowExceeded }
        receiveWindow -= length
        consumed += length - count
    }
}

/// The number of bytes of DATA that a message may still have (RFC 9113, section 8.1.1).
enum BodyExpectation: Sendable, Equatable {
    case unknown
    case forbidden
    case bytes(UInt64)

    init(_ framing: BodyFraming) {
        switch framing {
        case .none: self = .forbidden
        case .length(let length): self = .bytes(length)
        case .chunked, .untilClose, .endOfStream: self = .unknown
        }
    }

    /// Counts the data of one frame.
    mutating func receive(_ count: Int) throws(HTTP2StreamError) {
        switch self {
        case .unknown: return
        case .forbidden:
            guard count == 0 else { throw .bodyForbidden }
        case .bytes(let rest):
            guard count <= rest else { throw .contentLengthExceeded }
            self = .bytes(rest - UInt64(count))
        }
    }

    /// Judges the end of the body.
    func end() throws(HTTP2StreamError) {
        if case .bytes(let rest) = self, rest > 0 { throw .contentLengthNotReached }
    }
}

/// The time since which a peer has taken nothing worth mentioning, by the connection's count of seconds.
struct SendingProgress: Sendable {
    /// Bytes below which what was taken is a trickle, and no progress.
    private static let least = 1_024

    private(set) var stalledSince = 0
    private var sentSinceStall = 0

    mutating func note(_ count: Int, at seconds: Int) {
        sentSinceStall += count
        if sentSinceStall >= Self.least { restart(at: seconds) }
    }

    mutating func restart(at seconds: Int) {
        stalledSince = seconds
        sentSinceStall = 0
    }
}

/// The data that a stream has been given to send and the windows do not let through yet, in order.
struct KeptData: Sendable {
    enum End: Sendable {
        /// More may be given.
        case open
        case endStream
        case trailers(FieldSection)
    }

    /// The number of bytes, above 0 whenever anything is kept: an end without bytes before it needs no window.
    private(set) var bytes = 0
    var end = End.open
    private var buffers: [ByteBuffer] = []
    private var first = 0

    var isEmpty: Bool { bytes == 0 }

    mutating func append(_ buffer: ByteBuffer) {
        bytes += buffer.readableBytes
        buffers.append(buffer)
    }

    /// Moves the first bytes to the end of another buffer.
    ///
    /// - Parameter count: The number of bytes, at most `bytes`.
    mutating func write(_ count: Int, into output: inout ByteBuffer) {
        var rest = count
        bytes -= count
        while rest > 0 {
            let buffer = buffers[first]
            let piece = min(rest, buffer.readableBytes)
            output.writeBytes(buffer.readableBytesSpan.extracting(first: piece))
            buffers[first].moveReaderIndex(forwardBy: piece)
            rest -= piece
            if piece == buffer.readableBytes { dropFirst() }
        }
    }

    private mutating func dropFirst() {
        buffers[first] = ByteBuffer()
        first += 1
        if first == buffers.count || first > 32 {
            buffers.removeFirst(first)
            first = 0
        }
    }
}
