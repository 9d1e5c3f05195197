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
        self.isInOrder && self.receivedBytes == self.length && self.ending == (self.withTrailers ? .trailers : .end)
    }
    var isOver: Bool { self.ending != .none }

    mutating func send(on connection: inout HTTP2Connection, upTo count: Int) throws {
        guard !self.isSent, connection.pendingBytes(self.streamID) == 0 else { return }
        let count = min(count, self.length - self.sentBytes)
        let bytes = (self.sentBytes..<self.sentBytes + count).map(self.byte)
        self.sentBytes += count
        let isLast = self.sentBytes == self.length
        connection.sendData(self.streamID, ByteBuffer(bytes: bytes), endsStream: isLast && !self.withTrailers)
        if isLast, self.withTrailers { connection.sendTrailers(self.streamID, try Heads.trailers("A: b")) }
        self.isSent = isLast
    }

    mutating func receive(_ bytes: ByteBuffer) {
        if bytes.readableBytes == 0 || self.isOver { self.isInOrder = false }
        for (offset, byte) in bytes.readableBytesView.enumerated()
        where byte != self.byte(offset + self.receivedBytes) {
            self.isInOrder = false
        }
        self.receivedBytes += bytes.readableBytes
        self.held += bytes.readableBytes
    }

    mutating func end(withTrailers: Bool) {
        if self.isOver { self.isInOrder = false }
        self.ending = withTrailers ? .trailers : .end
    }

    mutating func reset() {
        self.isSent = true
        if !self.isOver { self.ending = .reset }
    }

    mutating func consume(_ count: Int, spare: Int, on connection: inout HTTP2Connection) {
        let count = min(count, self.held)
        self.held -= count
        connection.consumed(self.streamID, bytes: count, spare: spare)
    }

    private func byte(_ place: Int) -> UInt8 {
        UInt8(truncatingIfNeeded: place &* 31 &+ place >> 8 &+ Int(self.streamID))
    }
}
