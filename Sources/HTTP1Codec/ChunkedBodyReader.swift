import NIOCore

/// Decodes the chunked transfer coding (RFC 9112, section 7.1). Chunk extensions are checked, counted and dropped.
struct ChunkedBodyReader: Sendable {
    private enum Phase { case size, data, delimiter, trailers }

    private var phase = Phase.size
    private var remaining: UInt64 = 0
    private var excessOctets = 0
    private var lines = LineScanner()
    private var trailers = TrailerReader()

    mutating func reset() {
        self.phase = .size
        self.remaining = 0
        self.excessOctets = 0
        self.lines.reset()
        self.trailers.reset()
    }

    /// - Returns: `nil` if more octets are needed.
    mutating func next(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> BodyPart? {
        while true {
            switch self.phase {
            case .size:
                guard try self.readSize(from: &input, limits: limits) else { return nil }
            case .data:
                if input.count == 0 { return nil }
                let octets = input.take(Int(clamping: self.remaining))
                self.remaining -= UInt64(octets.readableBytes)
                if self.remaining == 0 { self.phase = .delimiter }
                return .octets(octets)
            case .delimiter:
                guard try Self.readDelimiter(from: &input) else { return nil }
                self.phase = .size
            case .trailers:
                guard let end = try self.trailers.read(input, limits: limits) else { return nil }
                return .end(trailers: self.trailers.section(octets: input.take(end)))
            }
        }
    }

    private mutating func readSize(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> Bool {
        if input.count == 0 { return false }
        guard let chunk = try self.nextSizeLine(in: input.octets.readableBytesUInt8Span, limits: limits) else {
            return false
        }
        self.excessOctets += chunk.excessOctets
        guard self.excessOctets <= limits.chunkExtensionOctets else { throw .chunkExtensionsTooLong }
        input.skip(chunk.lineOctets)
        self.lines.reset()
        self.remaining = chunk.size
        self.phase = chunk.size == 0 ? .trailers : .data
        return true
    }

    private mutating func nextSizeLine(
        in octets: Span<UInt8>,
        limits: MessageLimits
    ) throws(MessageError) -> ChunkSizeLine? {
        guard octets[0].hexadecimalValue != nil else { throw .chunkSizeMalformed }
        if let line = try self.lines.next(in: octets) {
            guard line.upperBound <= limits.chunkLineOctets else { throw .chunkLineTooLong }
            return try ChunkSizeLine(octets.extracting(line))
        }
        guard octets.count <= limits.chunkLineOctets else { throw .chunkLineTooLong }
        return nil
    }

    private static func readDelimiter(from input: inout InputBuffer) throws(MessageError) -> Bool {
        guard input.octet(at: 0) ?? 0x0D == 0x0D, input.octet(at: 1) ?? 0x0A == 0x0A else {
            throw .chunkDelimiterMissing
        }
        guard input.count >= 2 else { return false }
        input.skip(2)
        return true
    }
}
