import HTTP1Codec
import NIOCore

/// What a stream has been given to send and the windows do not let through yet, in order.
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

    var isEmpty: Bool { self.bytes == 0 }

    mutating func append(_ buffer: ByteBuffer) {
        self.bytes += buffer.readableBytes
        self.buffers.append(buffer)
    }

    /// Moves the first bytes to the end of another buffer.
    ///
    /// - Parameter count: At most `bytes`.
    mutating func write(_ count: Int, into output: inout ByteBuffer) {
        var rest = count
        self.bytes -= count
        while rest > 0 {
            let buffer = self.buffers[self.first]
            let piece = min(rest, buffer.readableBytes)
            output.writeBytes(buffer.readableBytesSpan.extracting(first: piece))
            self.buffers[self.first].moveReaderIndex(forwardBy: piece)
            rest -= piece
            if piece == buffer.readableBytes { self.dropFirst() }
        }
    }

    private mutating func dropFirst() {
        self.buffers[self.first] = ByteBuffer()
        self.first += 1
        if self.first == self.buffers.count || self.first > 32 {
            self.buffers.removeFirst(self.first)
            self.first = 0
        }
    }
}
