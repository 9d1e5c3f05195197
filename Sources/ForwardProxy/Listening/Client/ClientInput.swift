import HTTP1Codec
import NIOCore

/// The bytes that a client has sent and that are not decoded, and the memory that they take: of a head or a trailer
/// section that is not whole yet, or of what waits for its turn.
struct ClientInput: ~Copyable {
    private var decoder: RequestDecoder
    private var memory = HeadMemory()

    init(limits: MessageLimits) {
        decoder = RequestDecoder(limits: limits)
    }

    var bufferedBytes: Int { decoder.bufferedBytes }

    mutating func append(_ bytes: ByteBuffer) {
        decoder.append(bytes)
    }

    mutating func next() throws(MessageError) -> RequestEvent? { try decoder.next() }

    /// Takes what is not decoded, and is not going to be.
    @discardableResult
    mutating func takeBuffered() -> ByteBuffer { decoder.takeBuffered() }

    /// Takes what is not decoded, and begins anew: other bytes come in its stead.
    mutating func restart(limits: MessageLimits) -> ByteBuffer {
        let buffered = decoder.takeBuffered()
        decoder = RequestDecoder(limits: limits)
        return buffered
    }

    // MARK: Memory

    /// Indicates whether it is so much that it is counted.
    var isLarge: Bool { bufferedBytes > HeadMemory.uncountedBytes }

    /// The number of bytes that are counted.
    var heldBytes: Int { memory.bytes }

    /// Returns whether they are counted for a client.
    func isHeld(for client: ClientUsage) -> Bool { memory.isOf(client) }

    /// Counts what there is.
    ///
    /// - Parameter client: The one that it has been counted for, if it has.
    /// - Returns: False when the client may not have so much held.
    mutating func hold(for client: ClientUsage) -> Bool { memory.hold(bufferedBytes, for: client) == nil }

    /// - Returns: Whether anything was counted.
    mutating func release() -> Bool {
        guard memory.bytes > 0 else { return false }
        memory.release()
        return true
    }
}
