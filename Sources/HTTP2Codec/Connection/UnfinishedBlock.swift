import NIOCore

/// A header block whose CONTINUATION frames are yet to come (RFC 9113, section 4.3).
struct UnfinishedBlock: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    var bytes: ByteBuffer
    var continuations = 0
}
