import NIOCore

/// Copies and comparisons of whole ranges.
///
/// This is the only file here with operations marked unsafe. Each checks its bounds before it touches a pointer, and
/// hands none out. Element by element the same would cost several times as much.
enum ByteCopying {
    /// Writes the bytes from a position on, and moves the position behind them.
    @inline(__always)
    static func copy(_ source: Span<UInt8>, to target: inout MutableSpan<UInt8>, at end: inout Int) {
        let start = end
        precondition(start >= 0 && source.count <= target.count &- start)
        if source.isEmpty { return }
        unsafe target.withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { bytes in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<start &+ bytes.count])
                unsafe room.copyMemory(from: bytes)
            }
        }
        end = start &+ source.count
    }

    static func copy(_ text: StaticString, to target: inout MutableSpan<UInt8>, at end: inout Int) {
        copy(unsafe Span(_unsafeStart: text.utf8Start, count: text.utf8CodeUnitCount), to: &target, at: &end)
    }

    static func moveToFront(_ range: Range<Int>, of bytes: inout [UInt8]) {
        precondition(range.upperBound <= bytes.count)
        unsafe bytes.withUnsafeMutableBytes { bytes in
            let front = unsafe UnsafeMutableRawBufferPointer(rebasing: bytes[0..<range.count])
            unsafe front.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[range]))
        }
    }

    /// The eight bytes at a position, the first one highest.
    @inline(__always)
    static func word(of bytes: Span<UInt8>, at position: Int) -> UInt64 {
        // Every bit pattern is a UInt64, and the load checks its bounds like any access to a span.
        UInt64(bigEndian: unsafe bytes.bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    static func isEqual(_ one: Span<UInt8>, _ other: Span<UInt8>) -> Bool {
        guard one.count == other.count else { return false }
        var index = 0
        while index &+ 8 <= one.count {
            guard word(of: one, at: index) == word(of: other, at: index) else { return false }
            index &+= 8
        }
        while index < one.count {
            guard one[index] == other[index] else { return false }
            index &+= 1
        }
        return true
    }
}

extension ByteBuffer {
    /// Appends what `body` writes to the front of a span of that many bytes; it returns how many those are.
    mutating func append(atMost most: Int, _ body: (inout MutableSpan<UInt8>) -> Int) {
        unsafe writeWithUnsafeMutableBytes(minimumWritableBytes: most) { room in
            var span = unsafe MutableSpan<UInt8>(_unsafeBytes: UnsafeMutableRawBufferPointer(rebasing: room[..<most]))
            let count = body(&span)
            precondition(count >= 0 && count <= most)
            return count
        }
    }

    mutating func append(_ bytes: Span<UInt8>) {
        unsafe writeBytes(bytes.bytes)
    }
}
