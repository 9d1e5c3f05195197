import NIOCore

/// Octets that were received and not yet read.
///
/// Usually everything that is appended is read before more arrives, and nothing is copied. A rest is gathered in a
/// buffer of its own; it is never more than one frame that is not DATA, because DATA is handed on in pieces.
struct FrameInput: Sendable {
    private(set) var octets = ByteBuffer()
    private var isGathered = false

    var count: Int { self.octets.readableBytes }

    mutating func append(_ more: ByteBuffer) {
        if more.readableBytes == 0 { return }
        if self.octets.readableBytes == 0 {
            self.octets = more
            self.isGathered = false
        } else if self.isGathered, self.octets.readerIndex <= self.octets.readableBytes {
            self.octets.writeImmutableBuffer(more)
        } else {
            // Octets that were read are left behind, so a connection that always has a rest does not grow its buffer.
            var gathered = ByteBuffer()
            gathered.reserveCapacity(self.octets.readableBytes + more.readableBytes)
            gathered.writeImmutableBuffer(self.octets)
            gathered.writeImmutableBuffer(more)
            self.octets = gathered
            self.isGathered = true
        }
    }

    /// The first octets, at most as many as there are; a slice, not a copy.
    mutating func take(_ count: Int) -> ByteBuffer {
        let slice = self.octets.readSlice(length: min(count, self.octets.readableBytes)) ?? ByteBuffer()
        self.releaseIfEmpty()
        return slice
    }

    /// - Parameter count: At most as many as there are.
    mutating func skip(_ count: Int) {
        self.octets.moveReaderIndex(forwardBy: count)
        self.releaseIfEmpty()
    }

    /// A receive buffer that nobody holds can be used again by the channel.
    private mutating func releaseIfEmpty() {
        guard self.octets.readableBytes == 0 else { return }
        self.octets = ByteBuffer()
        self.isGathered = false
    }
}
