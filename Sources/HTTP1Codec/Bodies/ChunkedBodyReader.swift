import Bytes
import NIOCore

/// Decodes the chunked transfer coding (RFC 9112, section 7.1). Chunk extensions are checked, counted and dropped.
struct ChunkedBodyReader: Sendable {
    private enum Phase {
        case size
        /// The data of a chunk, of which that many bytes are yet to come.
        case data(rest: UInt64)
        case delimiter
        case trailers
    }

    private var phase = Phase.size
    private var excessBytes = 0
    private var lines = LineScanner()
    private var trailers = TrailerReader()

    mutating func reset() {
        phase = .size
        excessBytes = 0
        lines.reset()
        trailers.reset()
    }

    /// - Returns: `nil` if more bytes are needed.
    mutating func next(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> BodyPart? {
        while true {
            switch phase {
            case .size:
                guard try readSize(from: &input, limits: limits) else { return nil }
            case .data(let rest):
                if input.count == 0 { return nil }
                let bytes = input.take(Int(clamping: rest))
                let count = UInt64(bytes.readableBytes)
                phase = count == rest ? .delimiter : .data(rest: rest - count)
                return .bytes(bytes)
            case .delimiter:
                guard try Self.readDelimiter(from: &input) else { return nil }
                phase = .size
            case .trailers:
                guard let end = try trailers.read(input, limits: limits) else { return nil }
                return .end(trailers: trailers.section(bytes: input.take(end)))
            }
        }
    }

    private mutating func readSize(from input: inout InputBuffer, limits: MessageLimits) throws(MessageError) -> Bool {
        if input.count == 0 { return false }
        guard let chunk = try nextSizeLine(in: input.bytes.readableBytesUInt8Span, limits: limits) else {
            return false
        }
        excessBytes += chunk.excessBytes
        guard excessBytes <= limits.chunkExtensionBytes else { throw .chunkExtensionsTooLong }
        input.skip(chunk.lineBytes)
        lines.reset()
        phase = chunk.size == 0 ? .trailers : .data(rest: chunk.size)
        return true
    }

    private mutating func nextSizeLine(
        in bytes: Span<UInt8>,
        limits: MessageLimits
    ) throws(MessageError) -> ChunkSizeLine? {
        guard bytes[0].hexadecimalValue != nil else { throw .chunkSizeMalformed }
        if let line = try lines.next(in: bytes) {
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

/// Reads a trailer section line by line as its bytes arrive (RFC 9112, section 7.1.2).
struct TrailerReader: Sendable {
    private var entries: [FieldEntry] = []
    private var present = KnownFieldSet()
    private var count = 0
    private var lines = LineScanner()

    mutating func reset() {
        entries.removeAll(keepingCapacity: true)
        present = KnownFieldSet()
        count = 0
        lines.reset()
    }

    /// - Parameter input: Begins with the first byte of the section.
    /// - Returns: The length of the section with its empty line, or `nil` if more bytes are needed.
    mutating func read(_ input: InputBuffer, limits: MessageLimits) throws(MessageError) -> Int? {
        let bytes = input.bytes.readableBytesUInt8Span
        while let line = try lines.next(in: bytes) {
            guard line.upperBound &+ 2 <= limits.trailerBytes else { throw .trailersTooLarge }
            if line.isEmpty { return line.upperBound &+ 2 }
            count += 1
            guard count <= limits.trailerFields else { throw .trailersTooLarge }
            let entry = try FieldEntry(line: line, of: bytes)
            if KnownFieldSet.refusedInTrailers.contains(entry.known) { throw .trailerFieldForbidden }
            if KnownFieldSet.droppedFromTrailers.contains(entry.known) { continue }
            entries.append(entry)
            present.insert(entry.known)
        }
        guard bytes.count <= limits.trailerBytes else { throw .trailersTooLarge }
        return nil
    }

    /// The section, or `nil` if no line of it is worth passing on.
    func section(bytes: ByteBuffer) -> FieldSection? {
        if entries.isEmpty { return nil }
        return FieldSection(bytes: bytes, entries: entries, present: present)
    }
}
