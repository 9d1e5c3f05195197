import HTTP2Codec
import NIOCore

/// One direction of one exchange: what its sender is to send, and what has come.
struct MessageFlow {
    enum Ending: Equatable { case none, end, trailers, reset }

    private let streamID: HTTP2StreamID
    private let length: Int
    private let withTrailers: Bool
    private var sentBytes = 0
    private(set) var isSent = false
    private(set) var receivedBytes = 0
    private(set) var isInOrder = true
    private(set) var ending = Ending.none
    /// Received and not reported as consumed.
    private(set) var held = 0

    init(_ streamID: HTTP2StreamID, length: Int, withTrailers: Bool) {
        self.streamID = streamID
        self.length = length
        self.withTrailers = withTrailers
    }

    /// Indicates whether all that was to come has come, in order, and nothing else.
    var isComplete: Bool {
        isInOrder && receivedBytes == length && ending == (withTrailers ? .trailers : .end)
    }
    var isOver: Bool { ending != .none }

    mutating func send(on connection: inout HTTP2Connection, upTo count: Int) throws {
        guard !isSent, connection.pendingBytes(streamID) == 0 else { return }
        let count = min(count, length - sentBytes)
        let bytes = (sentBytes..<sentBytes + count).map(byte)
        sentBytes += count
        let isLast = sentBytes == length
        connection.sendData(streamID, ByteBuffer(bytes: bytes), endsStream: isLast && !withTrailers)
        if isLast, withTrailers { connection.sendTrailers(streamID, try Heads.trailers("A: b")) }
        isSent = isLast
    }

    mutating func receive(_ bytes: ByteBuffer) {
        if bytes.readableBytes == 0 || isOver { isInOrder = false }
        for (offset, byte) in bytes.readableBytesView.enumerated()
        where byte != self.byte(offset + receivedBytes) {
            isInOrder = false
        }
        receivedBytes += bytes.readableBytes
        held += bytes.readableBytes
    }

    mutating func end(withTrailers: Bool) {
        if isOver { isInOrder = false }
        ending = withTrailers ? .trailers : .end
    }

    mutating func reset() {
        isSent = true
        if !isOver { ending = .reset }
    }

    mutating func consume(_ count: Int, spare: Int, on connection: inout HTTP2Connection) {
        let count = min(count, held)
        held -= count
        connection.consumed(streamID, bytes: count, spare: spare)
    }

    private func byte(_ place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8 &+ Int(streamID))
    }
}
