import NIOCore

/// The place of an `HTTP2Connection` in the bytes from the peer.
enum ReadingPhase: Sendable {
    /// In the connection preface, after that many bytes of it.
    case preface(Int)
    case header
    case payload(FrameHeader)
    case data(IncomingData)
    /// In a payload that nobody needs.
    case skipping(Int)
}

/// The rest of a DATA frame, which is handed on as it arrives.
struct IncomingData: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    /// Indicates whether the data goes to the caller.
    let isDelivered: Bool
    /// Bytes of data yet to come, before the padding.
    var rest: Int
    var padding: Int
}

/// A header block whose CONTINUATION frames are yet to come (RFC 9113, section 4.3).
struct UnfinishedBlock: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    var bytes: ByteBuffer
    var continuations = 0
}
