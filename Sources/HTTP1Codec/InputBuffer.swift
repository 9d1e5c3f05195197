package import NIOCore

/// Bytes that were received and not yet consumed.
///
/// Usually everything that is appended is consumed before more arrives, and nothing is copied. What is left over is
/// gathered in a buffer of its own whose capacity doubles, so that many small pieces cost no more than one large one.
package struct InputBuffer: Sendable {
    package private(set) var bytes = ByteBuffer()
    private var isGathered = false

    package init() {}

    package var count: Int { self.bytes.readableBytes }

    /// The byte at a position among those not consumed.
    func byte(at position: Int) -> UInt8? {
        self.bytes.getInteger(at: self.bytes.readerIndex + position)
    }

    package mutating func append(_ more: ByteBuffer) {
        if more.readableBytes == 0 { return }
        if self.bytes.readableBytes == 0 {
            self.bytes = more
            self.isGathered = false
        } else if self.isGathered, self.bytes.readerIndex <= self.bytes.readableBytes {
            self.bytes.writeImmutableBuffer(more)
        } else {
            // Consumed bytes are left behind, so a connection that always has a rest does not grow its buffer.
            var gathered = ByteBuffer()
            gathered.reserveCapacity(2 * (self.bytes.readableBytes + more.readableBytes))
            gathered.writeImmutableBuffer(self.bytes)
            gathered.writeImmutableBuffer(more)
            self.bytes = gathered
            self.isGathered = true
        }
    }

    /// The first bytes, at most as many as there are.
    package mutating func take(_ count: Int) -> ByteBuffer {
        let slice = self.bytes.readSlice(length: min(count, self.bytes.readableBytes)) ?? ByteBuffer()
        self.releaseIfEmpty()
        return slice
    }

    package mutating func skip(_ count: Int) {
        self.bytes.moveReaderIndex(forwardBy: count)
        self.releaseIfEmpty()
    }

    mutating func takeAll() -> ByteBuffer {
        self.take(self.bytes.readableBytes)
    }

    /// A receive buffer that nobody holds can be used again by the channel.
    private mutating func releaseIfEmpty() {
        guard self.bytes.readableBytes == 0 else { return }
        self.bytes = ByteBuffer()
        self.isGathered = false
    }
}
