import NIOCore

extension ByteBuffer {
    /// The bytes of a range that counts from the reader index and lies within what is readable.
    func slice(_ range: Range<Int>) -> ByteBuffer {
        getSlice(at: readerIndex + range.lowerBound, length: range.count) ?? ByteBuffer()
    }

    /// Copies a range, counted as above, to the end of another buffer.
    func copy(_ range: Range<Int>, to target: inout ByteBuffer) {
        if range.isEmpty { return }
        target.writeBytes(readableBytesSpan.extracting(range))
    }
}
