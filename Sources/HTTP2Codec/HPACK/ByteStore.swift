import NIOCore

/// Bytes that one owner gathers in the same storage again and again.
struct ByteStore: Sendable {
    /// The storage; only the first `count` bytes mean anything.
    private(set) var bytes: [UInt8] = []
    private(set) var count = 0

    /// Forgets the bytes, and the storage too if it has become larger than what is worth keeping for the next time.
    mutating func removeAll(keepingAtMost capacity: Int) {
        count = 0
        if bytes.count > capacity { bytes = [] }
    }

    mutating func append(_ source: Span<UInt8>) {
        append(atMost: source.count) { target, end in
            ByteCopying.copy(source, to: &target, at: &end)
        }
    }

    mutating func append(_ range: Range<Int>, of bytes: [UInt8]) {
        append(bytes.span.extracting(range))
    }

    /// Appends a text that must be ASCII.
    mutating func append(_ text: StaticString) {
        append(atMost: text.utf8CodeUnitCount) { target, end in
            ByteCopying.copy(text, to: &target, at: &end)
        }
    }

    /// Appends what `body` writes from a position on, which it moves behind what it wrote.
    @inline(__always)
    mutating func append<Failure: Error>(
        atMost most: Int,
        _ body: (inout MutableSpan<UInt8>, _ end: inout Int) throws(Failure) -> Void
    ) throws(Failure) {
        let (needed, overflow) = count.addingReportingOverflow(most)
        precondition(!overflow)
        if needed > bytes.count { grow(to: needed) }
        var end = count
        var target = bytes.mutableSpan
        try body(&target, &end)
        count = end
    }

    /// Moves the bytes from a position on to the front, and forgets those before.
    mutating func dropFirst(_ dropped: Int) {
        ByteCopying.moveToFront(dropped..<count, of: &bytes)
        count -= dropped
    }

    /// A buffer of just these bytes.
    func copy() -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: count)
        buffer.append(bytes.span.extracting(0..<count))
        return buffer
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        let capacity = max(needed, 2 * bytes.count, 256)
        bytes.append(contentsOf: repeatElement(0, count: capacity - bytes.count))
    }
}
