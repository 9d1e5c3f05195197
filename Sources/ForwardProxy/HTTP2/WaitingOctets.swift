import NIOCore

/// Octets of a body that wait until they are wanted, in storage of their own: a piece of what was received would keep
/// all that was received with it.
struct WaitingOctets {
    private static let pieceLimit = 64 * 1024

    private var octets = ByteBuffer()

    var isEmpty: Bool { octets.readableBytes == 0 }

    mutating func append(_ more: ByteBuffer) {
        octets.writeImmutableBuffer(more)
    }

    /// The first of them; nil when there are none.
    mutating func take() -> ByteBuffer? {
        guard !isEmpty else { return nil }
        guard octets.readableBytes > Self.pieceLimit else {
            defer { octets = ByteBuffer() }
            return octets
        }
        return octets.readSlice(length: Self.pieceLimit)
    }
}
