package import NIOCore

/// Writes the chunked transfer coding (RFC 9112, section 7.1).
package enum ChunkedEncoding {
    /// Appends the size line of a chunk with that many bytes of data.
    ///
    /// - Parameter length: Above 0, since a chunk of length 0 is the last one.
    package static func writeChunkHeader(length: Int, into buffer: inout ByteBuffer) {
        assert(length > 0, "a chunk of length 0 would end the body")
        var shift = (UInt64.bitWidth - 1 - UInt64(length).leadingZeroBitCount) & ~3
        while shift >= 0 {
            let digit = UInt8(truncatingIfNeeded: length >> shift) & 0x0F
            buffer.writeInteger(digit < 10 ? digit &+ 0x30 : digit &+ 0x57)
            shift -= 4
        }
        buffer.writeStaticString("\r\n")
    }

    /// Appends what follows the data of a chunk.
    package static func writeChunkEnd(into buffer: inout ByteBuffer) {
        buffer.writeStaticString("\r\n")
    }

    /// Appends a whole chunk; nothing if there is no data.
    package static func writeChunk(_ data: ByteBuffer, into buffer: inout ByteBuffer) {
        if data.readableBytes == 0 { return }
        writeChunkHeader(length: data.readableBytes, into: &buffer)
        buffer.writeBytes(data.readableBytesSpan)
        writeChunkEnd(into: &buffer)
    }

    /// Appends the last chunk, the trailer lines as they came, and the empty line.
    package static func writeLastChunk(trailers: FieldSection? = nil, into buffer: inout ByteBuffer) {
        buffer.writeStaticString("0\r\n")
        trailers?.writeLines(into: &buffer)
        buffer.writeStaticString("\r\n")
    }
}
