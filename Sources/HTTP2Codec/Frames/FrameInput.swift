import HTTP1Codec
import NIOCore

/// The bytes from a peer that are not read yet, and the place in its frames that they begin at (RFC 9113, section 4).
struct FrameInput: Sendable {
    enum Phase: Sendable {
        /// The connection preface, after that many bytes of it.
        case preface(Int)
        case header
        case payload(FrameHeader)
        case data(IncomingData)
        /// A payload that nobody needs, of which that many bytes are yet to come.
        case skipping(Int)
    }

    /// The next piece of a DATA frame.
    enum DataPiece: Sendable {
        case bytes(ByteBuffer)
        case end
    }

    private(set) var phase: Phase
    private var input = InputBuffer()
    private var block: UnfinishedBlock?

    init(role: HTTP2Role) {
        phase = role == .server ? .preface(0) : .header
    }

    /// The stream whose header block has begun and is not complete; that of the connection as long as its preface is
    /// not.
    var streamOfUnfinishedHead: HTTP2StreamID? {
        switch phase {
        case .preface: .connection
        case .payload(let header) where header.type == .headers: header.streamID
        case .header, .payload, .data, .skipping: block?.streamID
        }
    }

    /// The bytes that are held, with the room that is kept for more of a header block.
    var bufferedBytes: Int { input.count + (block?.bytes.storageCapacity ?? 0) }

    mutating func append(_ more: ByteBuffer) {
        input.append(more)
    }

    /// Lets go of what is held. Nothing can be read any more.
    mutating func drop() {
        input = InputBuffer()
        block = nil
    }

    /// Compares what there is of the preface.
    ///
    /// - Parameter matched: The bytes of it that have been compared.
    /// - Returns: Whether it is complete.
    mutating func readPreface(_ matched: Int) throws(HTTP2ConnectionError) -> Bool {
        let count = min(ConnectionPreface.bytes.count - matched, input.count)
        let received = input.take(count)
        let span = received.readableBytesUInt8Span
        for index in 0..<count where span[index] != ConnectionPreface.bytes[matched + index] {
            throw .prefaceMalformed
        }
        let isComplete = matched + count == ConnectionPreface.bytes.count
        phase = isComplete ? .header : .preface(matched + count)
        return isComplete
    }
}

/// Frames as a whole.
extension FrameInput {
    /// Looks at the header that comes next; `begin…` takes it.
    ///
    /// - Returns: Nil if more bytes are needed.
    func header(maxFrameSize: Int) throws(HTTP2ConnectionError) -> FrameHeader? {
        guard input.count >= FrameHeader.bytes else { return nil }
        let header = FrameHeader(input.bytes.readableBytesUInt8Span)
        guard header.length <= maxFrameSize else { throw .frameTooLarge }
        if let block {
            guard header.type == .continuation, header.streamID == block.streamID else { throw .headersInterrupted }
        }
        return header
    }

    mutating func beginPayload(_ header: FrameHeader) {
        input.skip(FrameHeader.bytes)
        phase = .payload(header)
    }

    mutating func beginSkipping(_ header: FrameHeader) {
        input.skip(FrameHeader.bytes)
        phase = .skipping(header.length)
    }

    /// - Returns: Nil if more bytes are needed.
    mutating func takePayload(_ header: FrameHeader) -> ByteBuffer? {
        guard input.count >= header.length else { return nil }
        phase = .header
        return input.take(header.length)
    }

    /// - Returns: False if more bytes are needed.
    mutating func skip(_ rest: Int) -> Bool {
        guard input.count > 0 || rest == 0 else { return false }
        let count = min(rest, input.count)
        input.skip(count)
        phase = count == rest ? .header : .skipping(rest - count)
        return true
    }
}

/// DATA frames, whose payload is handed on as it arrives (RFC 9113, section 6.1).
extension FrameInput {
    /// Looks at the padding of a DATA frame.
    ///
    /// - Returns: Nil if more bytes are needed.
    func padding(_ header: FrameHeader) throws(HTTP2ConnectionError) -> DataPadding? {
        guard header.flags.contains(.padded) else { return DataPadding(isPresent: false, length: 0) }
        guard header.length > 0 else { throw .frameSizeWrong }
        guard input.count > FrameHeader.bytes else { return nil }
        let padding = DataPadding(
            isPresent: true,
            length: Int(input.bytes.readableBytesUInt8Span[FrameHeader.bytes])
        )
        guard padding.overhead <= header.length else { throw .paddingTooLong }
        return padding
    }

    mutating func beginData(_ frame: IncomingData, after padding: DataPadding) {
        input.skip(FrameHeader.bytes + padding.overhead - padding.length)
        phase = .data(frame)
    }

    /// - Parameter frame: The one of the phase.
    /// - Returns: Nil if more bytes are needed.
    mutating func readData(_ frame: IncomingData) -> DataPiece? {
        guard input.count > 0 || frame.rest + frame.padding == 0 else { return nil }
        var frame = frame
        if frame.rest > 0 {
            let taken = input.take(frame.rest)
            frame.rest -= taken.readableBytes
            phase = .data(frame)
            return .bytes(taken)
        }
        let skipped = min(frame.padding, input.count)
        input.skip(skipped)
        frame.padding -= skipped
        phase = frame.padding > 0 ? .data(frame) : .header
        return frame.padding > 0 ? nil : .end
    }
}

/// Header blocks of several frames (RFC 9113, section 4.3).
extension FrameInput {
    /// Keeps the beginning of a block, in storage of its own: what it came in may be much larger.
    mutating func beginBlock(_ streamID: HTTP2StreamID, _ fragment: ByteBuffer, endsStream: Bool) {
        block = UnfinishedBlock(streamID: streamID, endsStream: endsStream, bytes: ByteBuffer(buffer: fragment))
    }

    /// Adds the payload of a CONTINUATION frame to the block that has begun.
    ///
    /// - Parameter endsBlock: Whether the frame is the last.
    /// - Returns: The block when it is complete.
    mutating func continueBlock(
        _ payload: ByteBuffer,
        endsBlock: Bool,
        limits: HTTP2Limits
    ) throws(HTTP2ConnectionError) -> UnfinishedBlock? {
        guard var block else { throw .continuationUnexpected }
        self.block = nil
        block.continuations += 1
        guard block.continuations <= limits.continuationFrames else { throw .tooManyContinuations }
        guard block.bytes.readableBytes + payload.readableBytes <= limits.headerBlockBytes else {
            throw .headerBlockTooLarge
        }
        block.bytes.writeImmutableBuffer(payload)
        if endsBlock { return block }
        self.block = block
        return nil
    }
}

/// The rest of a DATA frame.
struct IncomingData: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    /// Indicates whether the data goes to the caller.
    let isDelivered: Bool
    /// Bytes of data yet to come, before the padding.
    var rest: Int
    var padding: Int
}

/// The padding of a DATA frame.
struct DataPadding: Sendable {
    let isPresent: Bool
    let length: Int

    /// The bytes of the payload that are no data: with the one that tells the length.
    var overhead: Int { isPresent ? 1 + length : 0 }
}

/// A header block whose CONTINUATION frames are yet to come.
struct UnfinishedBlock: Sendable {
    let streamID: HTTP2StreamID
    let endsStream: Bool
    var bytes: ByteBuffer
    var continuations = 0
}
