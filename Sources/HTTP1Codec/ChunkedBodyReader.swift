import NIOCore

/// Decodes the chunked transfer coding (RFC 9112, section 7.1). Chunk extensions are checked, counted and dropped.
struct ChunkedBodyReader: Sendable {
    private enum Phase { case size, data, delimiter, trailers }

    private var phase = Phase.size
    private var remaining: UInt64 = 0
    private var excessBytes = 0
    private var lines = LineScanner()
    private var trailers = TrailerReader()

    mutating func reset() {
        self.phase = .size
        self.remaining = 0
        self.excessBytes = 0
        self.lines.reset()
        self.trailers.reset()
    }

    /// - Returns: `nil` if more bytes are needed.
    mutating func next(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> BodyPart? {
        while true {
            switch self.phase {
            case .size:
                guard try self.readSize(from: &input, limits: limits) else { return nil }
            case .data:
                if input.count == 0 { return nil }
                let bytes = input.take(Int(clamping: self.remaining))
                self.remaining -= UInt64(bytes.readableBytes)
                if self.remaining == 0 { self.phase = .delimiter }
                return .bytes(bytes)
            case .delimiter:
                guard try Self.readDelimiter(from: &input) else { return nil }
                self.phase = .size
            case .trailers:
                guard let end = try self.trailers.read(input, limits: limits) else { return nil }
                return .end(trailers: self.trailers.section(bytes: input.take(end)))
            }
        }
    }

    private mutating func readSize(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> Bool {
        if input.count == 0 { return false }
        guard let chunk = try self.nextSizeLine(in: input.bytes.readableBytesUInt8Span, limits: limits) else {
            return false
        }
        self.excessBytes += chunk.excessBytes
        guard self.excessBytes <= limits.chunkExtensionBytes else { throw .chunkExtensionsTooLong }
        input.skip(chunk.lineBytes)
        self.lines.reset()
        self.remaining = chunk.size
        self.phase = chunk.size == 0 ? .trailers : .data
        return true
    }

    private mutating func nextSizeLine(
        in bytes: Span<UInt8>,
        limits: MessageLimits
    ) throws(MessageError) -> ChunkSizeLine? {
        guard bytes[0].hexadecimalValue != nil else { throw .chunkSizeMalformed }
        if let line = try self.lines.next(in: bytes) {
            guard line.upperBound <= limits.chunkLineBytes else { throw .chunkLineTooLong }
            return try ChunkSizeLine(bytes.extracting(line))
        }
        guard bytes.count <= limits.chunkLineBytes else { throw .chunkLineTooLong }
        return nil
    }

    private static func readDelimiter(from input: inout InputBuffer) throws(MessageError) -> Bool {
        guard input.byte(at: 0) ?? 0x0D == 0x0D, input.byte(at: 1) ?? 0x0A == 0x0A else {
            throw .chunkDelimiterMissing
        }
        guard input.count >= 2 else { return false }
        input.skip(2)
        return true
    }
}
