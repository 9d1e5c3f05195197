import HTTP1Codec
import NIOCore

/// The data that a stream has been given to send and the windows do not let through yet, in order.
struct KeptData: Sendable {
    enum End: Sendable {
        /// More may be given.
        case open
        case endStream
        case trailers(FieldSection)
    }

    /// Above 0 whenever anything is kept: an end without bytes before it needs no window.
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
    /// - Parameter count: At most `bytes`.
    mutating func write(_ count: Int, into output: inout ByteBuffer) {
        var rest = count
        bytes -= count
        while rest > 0 {
            let buffer = buffers[self.first]
            let piece = min(rest, buffer.readableBytes)
            output.writeBytes(buffer.readableBytesSpan.extracting(first: piece))
            buffers[self.first].moveReaderIndex(forwardBy: piece)
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
