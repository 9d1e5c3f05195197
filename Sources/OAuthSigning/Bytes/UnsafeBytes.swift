// All unsafe code of this target. Each piece is either checked at run time all the same, or bounded by a closure.

import Crypto
import FoundationEssentials

extension ContiguousBytes {
    /// Lends the bytes for the time of one call: swift-crypto has them as raw buffer pointers only.
    func withByteSpan<R>(_ body: (Span<UInt8>) throws -> R) rethrows -> R {
        // The pointer is valid until the closure returns, and a span cannot outlive the call it is passed to.
        try unsafe withUnsafeBytes { buffer in
            try unsafe body(Span(_unsafeBytes: buffer))
        }
    }
}

extension HashFunction {
    /// Hashes `bytes` too.
    mutating func update(_ bytes: Span<UInt8>) {
        // As above, the other way round.
        unsafe bytes.withUnsafeBytes { unsafe update(bufferPointer: $0) }
    }
}

// Bytes as words of eight. The offsets are checked in loads and stores alike; what the compiler calls unsafe is that
// a load or a store could make up a value of a type, and any eight bytes are a valid UInt64, any one a valid UInt8.
extension MutableSpan<UInt8> {
    /// Stores the packed bytes of `word` and moves `position` past those that count. Eight bytes are written in any
    /// case.
    @inline(__always)
    mutating func store(_ word: UInt64, at position: inout Int) {
        var target = unsafe mutableBytes
        target.storeBytes(of: word.littleEndian, toByteOffset: position, as: UInt64.self)
        position &+= Int(truncatingIfNeeded: word >> 56)
    }

    /// Stores a copy of `bytes` and moves `position` past it.
    @inline(__always)
    mutating func store(_ bytes: Span<UInt8>, at position: inout Int) {
        var target = unsafe mutableBytes
        let source = unsafe bytes.bytes
        var offset = 0
        while offset + 8 <= bytes.count {
            let word = unsafe source.unsafeLoadUnaligned(fromByteOffset: offset, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: position + offset, as: UInt64.self)
            offset += 8
        }
        while offset < bytes.count {
            target.storeBytes(of: bytes[offset], toByteOffset: position + offset, as: UInt8.self)
            offset += 1
        }
        position += bytes.count
    }

    /// The eight bytes at `position`, as a big-endian number.
    @inline(__always)
    func word(at position: Int) -> UInt64 {
        unsafe UInt64(bigEndian: bytes.unsafeLoadUnaligned(fromByteOffset: position, as: UInt64.self))
    }

    /// Stores the bytes of `range` once more at `position`, which lies behind them, and moves it. Up to seven bytes
    /// beyond the copy are written too.
    @inline(__always)
    mutating func storeAgain(_ range: Range<Int>, at position: inout Int) {
        var target = unsafe mutableBytes
        let end = position + range.count
        var source = range.lowerBound
        var destination = position
        while destination < end {
            let word = unsafe target.bytes.unsafeLoadUnaligned(fromByteOffset: source, as: UInt64.self)
            target.storeBytes(of: word, toByteOffset: destination, as: UInt64.self)
            source += 8
            destination += 8
        }
        position = end
    }
}
