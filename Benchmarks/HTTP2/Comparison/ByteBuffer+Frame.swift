import NIOCore

extension ByteBuffer {
    /// Appends a frame (RFC 9113, section 4.1).
    mutating func writeFrame(type: UInt8, flags: UInt8 = 0, stream: UInt32 = 0, payload: ByteBuffer) {
        writeInteger(UInt8(payload.readableBytes >> 16))
        writeInteger(UInt16(payload.readableBytes & 0xFFFF))
        writeInteger(type)
        writeInteger(flags)
        writeInteger(stream)
        writeImmutableBuffer(payload)
    }
}
