import Bytes
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
        phase = .size
        remaining = 0
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
            case .data:
                if input.count == 0 { return nil }
                let bytes = input.take(Int(clamping: remaining))
                remaining -= UInt64(bytes.readableBytes)
                if remaining == 0 { phase = .delimiter }
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
        remaining = chunk.size
        phase = chunk.size == 0 ? .trailers : .data
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

/// `chunk-size [ chunk-ext ]` (RFC 9112, section 7.1).
private struct ChunkSizeLine {
    let size: UInt64
    /// The line with its CR LF.
    let lineBytes: Int
    /// The bytes that the line holds beyond sixteen digits: extensions, and zeros that only cost time.
    let excessBytes: Int

    /// Reads a line without its CR LF. White space, which RFC 9112 calls bad where it allows it, is refused everywhere.
    init(_ line: Span<UInt8>) throws(MessageError) {
        var size: UInt64 = 0
        var index = 0
        while index < line.count, let digit = line[index].hexadecimalValue {
            guard size >> 56 == 0 else { throw .chunkSizeTooLarge }
            size = size << 4 | UInt64(digit)
            index &+= 1
        }
        guard index > 0 else { throw .chunkSizeMalformed }
        self.size = size
        lineBytes = line.count + 2
        excessBytes = line.count - min(index, 16)
        guard index == line.count || line[index] == 0x3B else { throw .chunkSizeMalformed }
        while index < line.count {
            guard line[index] == 0x3B else { throw .chunkExtensionMalformed }
            index = try Self.endOfExtension(in: line, from: index &+ 1)
        }
    }

    /// Passes `NAME`, `NAME=TOKEN` or `NAME="QUOTED"`.
    private static func endOfExtension(in line: Span<UInt8>, from start: Int) throws(MessageError) -> Int {
        let nameEnd = endOfToken(in: line, from: start)
        guard nameEnd > start else { throw .chunkExtensionMalformed }
        guard nameEnd < line.count, line[nameEnd] == 0x3D else { return nameEnd }
        let valueStart = nameEnd &+ 1
        guard valueStart < line.count, line[valueStart] == 0x22 else {
            let valueEnd = endOfToken(in: line, from: valueStart)
            guard valueEnd > valueStart else { throw .chunkExtensionMalformed }
            return valueEnd
        }
        var index = valueStart &+ 1
        while index < line.count, line[index] != 0x22 {
            index &+= line[index] == 0x5C ? 2 : 1
        }
        guard index < line.count else { throw .chunkExtensionMalformed }
        return index &+ 1
    }

    private static func endOfToken(in line: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < line.count, line[index].isToken { index &+= 1 }
        return index
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
