import NIOCore

/// Octets that one owner gathers in the same storage again and again.
struct OctetStore: Sendable {
    /// The storage; only the first `count` octets mean anything.
    private(set) var octets: [UInt8] = []
    private(set) var count = 0

    /// Forgets the octets, and the storage too if it has become larger than what is worth keeping for the next time.
    mutating func removeAll(keepingAtMost capacity: Int) {
        self.count = 0
        if self.octets.count > capacity { self.octets = [] }
    }

    mutating func append(_ source: Span<UInt8>) {
        self.append(atMost: source.count) { target, end in
            OctetCopying.copy(source, to: &target, at: &end)
        }
    }

    mutating func append(_ range: Range<Int>, of octets: [UInt8]) {
        self.append(octets.span.extracting(range))
    }

    /// Appends a text that must be ASCII.
    mutating func append(_ text: StaticString) {
        self.append(atMost: text.utf8CodeUnitCount) { target, end in
            OctetCopying.copy(text, to: &target, at: &end)
        }
    }

    /// Appends what `body` writes from a position on, which it moves behind what it wrote.
    @inline(__always)
    mutating func append<Failure: Error>(
        atMost most: Int,
        _ body: (inout MutableSpan<UInt8>, _ end: inout Int) throws(Failure) -> Void
    ) throws(Failure) {
        let (needed, overflow) = self.count.addingReportingOverflow(most)
        precondition(!overflow)
        if needed > self.octets.count { self.grow(to: needed) }
        var end = self.count
        var target = self.octets.mutableSpan
        try body(&target, &end)
        self.count = end
    }

    /// Moves the octets from a position on to the front, and forgets those before.
    mutating func dropFirst(_ dropped: Int) {
        OctetCopying.moveToFront(dropped..<self.count, of: &self.octets)
        self.count -= dropped
    }

    /// A buffer of just these octets.
    func copy() -> ByteBuffer {
        var buffer = ByteBufferAllocator().buffer(capacity: self.count)
        buffer.append(self.octets.span.extracting(0..<self.count))
        return buffer
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        let capacity = max(needed, 2 * self.octets.count, 256)
        self.octets.append(contentsOf: repeatElement(0, count: capacity - self.octets.count))
    }
}
