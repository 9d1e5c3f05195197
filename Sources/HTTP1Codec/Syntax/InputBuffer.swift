package import NIOCore

/// Bytes that were received and not yet consumed.
///
/// Usually everything that is appended is consumed before more arrives, and nothing is copied. What is left over is
/// gathered in a buffer of its own whose capacity doubles, so that many small pieces cost no more than one large one.
package struct InputBuffer: Sendable {
    package private(set) var bytes = ByteBuffer()
    private var isGathered = false

    package init() {}

    package var count: Int { bytes.readableBytes }

    /// The byte at a position among those not consumed.
    func byte(at position: Int) -> UInt8? {
        bytes.getInteger(at: bytes.readerIndex + position)
    }

    package mutating func append(_ more: ByteBuffer) {
        if more.readableBytes == 0 { return }
        if bytes.readableBytes == 0 {
            bytes = more
            isGathered = false
        } else if isGathered, bytes.readerIndex <= bytes.readableBytes {
            bytes.writeImmutableBuffer(more)
        } else {
            // Consumed bytes are left behind, so a connection that always has a rest does not grow its buffer.
            var gathered = ByteBuffer()
            gathered.reserveCapacity(2 * (bytes.readableBytes + more.readableBytes))
            gathered.writeImmutableBuffer(bytes)
            gathered.writeImmutableBuffer(more)
            bytes = gathered
            isGathered = true
        }
    }

    /// The first bytes, at most as many as there are.
    package mutating func take(_ count: Int) -> ByteBuffer {
        let slice = bytes.readSlice(length: min(count, bytes.readableBytes)) ?? ByteBuffer()
        releaseIfEmpty()
        return slice
    }

    package mutating func skip(_ count: Int) {
        bytes.moveReaderIndex(forwardBy: count)
        releaseIfEmpty()
    }

    mutating func takeAll() -> ByteBuffer {
        take(bytes.readableBytes)
    }

    /// A receive buffer that nobody holds can be used again by the channel.
    private mutating func releaseIfEmpty() {
        guard bytes.readableBytes == 0 else { return }
        bytes = ByteBuffer()
        isGathered = false
    }
}
