import NIOCore

/// Bytes of a body that wait until they are wanted, in storage of their own: a piece of what was received would keep
/// all that was received with it.
struct WaitingBytes {
    private static let pieceLimit = 32 * 1024

    private var pieces: [ByteBuffer] = []

    /// The number of bytes.
    private(set) var count = 0

    var isEmpty: Bool { pieces.isEmpty }

    mutating func append(_ more: ByteBuffer) {
        count += more.readableBytes
        if let last = pieces.indices.last, pieces[last].readableBytes + more.readableBytes <= Self.pieceLimit {
            pieces[last].writeImmutableBuffer(more)
        } else {
            var piece = ByteBuffer()
            piece.writeImmutableBuffer(more)
            pieces.append(piece)
        }
    }

    /// The first of them; nil when there are none.
    mutating func take() -> ByteBuffer? {
        guard !pieces.isEmpty else { return nil }
        let first = pieces.removeFirst()
        count -= first.readableBytes
        return first
    }
}
