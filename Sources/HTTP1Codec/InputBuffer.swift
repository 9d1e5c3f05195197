package import NIOCore

/// Octets that were received and not yet consumed.
///
/// Usually everything that is appended is consumed before more arrives, and nothing is copied. What is left over is
/// gathered in a buffer of its own whose capacity doubles, so that many small pieces cost no more than one large one.
package struct InputBuffer: Sendable {
    package private(set) var octets = ByteBuffer()
    private var isGathered = false

    package init() {}

    package var count: Int { self.octets.readableBytes }

    /// The octet at a position among those not consumed.
    func octet(at position: Int) -> UInt8? {
        self.octets.getInteger(at: self.octets.readerIndex + position)
    }

    package mutating func append(_ more: ByteBuffer) {
        if more.readableBytes == 0 { return }
        if self.octets.readableBytes == 0 {
            self.octets = more
            self.isGathered = false
        } else if self.isGathered, self.octets.readerIndex <= self.octets.readableBytes {
            self.octets.writeImmutableBuffer(more)
        } else {
            // Consumed octets are left behind, so a connection that always has a rest does not grow its buffer.
            var gathered = ByteBuffer()
            gathered.reserveCapacity(2 * (self.octets.readableBytes + more.readableBytes))
            gathered.writeImmutableBuffer(self.octets)
            gathered.writeImmutableBuffer(more)
            self.octets = gathered
            self.isGathered = true
        }
    }

    /// The first octets, at most as many as there are.
    package mutating func take(_ count: Int) -> ByteBuffer {
        let slice = self.octets.readSlice(length: min(count, self.octets.readableBytes)) ?? ByteBuffer()
        self.releaseIfEmpty()
        return slice
    }

    package mutating func skip(_ count: Int) {
        self.octets.moveReaderIndex(forwardBy: count)
        self.releaseIfEmpty()
    }

    mutating func takeAll() -> ByteBuffer {
        self.take(self.octets.readableBytes)
    }

    /// A receive buffer that nobody holds can be used again by the channel.
    private mutating func releaseIfEmpty() {
        guard self.octets.readableBytes == 0 else { return }
        self.octets = ByteBuffer()
        self.isGathered = false
    }
}
