import NIOCore

/// Octets that one owner gathers in the same storage again and again.
///
/// This is the only file here with operations marked unsafe. The two copies check both ranges first; `bytes` is unsafe
/// only for elements with padding, which octets do not have.
struct OctetStore: Sendable {
    /// The storage; only the first `count` octets mean anything.
    private(set) var octets: [UInt8] = []
    private(set) var count = 0

    /// Forgets the octets, and the storage too if it has become larger than what is worth keeping for the next time.
    mutating func removeAll(keepingAtMost capacity: Int) {
        self.count = 0
        if self.octets.count > capacity { self.octets = [] }
    }

    /// Forgets what lies from a position on.
    mutating func truncate(to count: Int) {
        precondition(count >= 0 && count <= self.count)
        self.count = count
    }

    /// Makes room for that many octets more.
    mutating func reserve(_ more: Int) {
        let needed = self.count + more
        if needed > self.octets.count { self.grow(to: needed) }
    }

    mutating func append(_ octet: UInt8) {
        self.reserve(1)
        self.octets[self.count] = octet
        self.count &+= 1
    }

    mutating func append(_ source: Span<UInt8>) {
        if source.isEmpty { return }
        self.reserve(source.count)
        let start = self.count
        precondition(start >= 0 && source.count <= self.octets.count - start)
        unsafe self.octets.withUnsafeMutableBytes { target in
            unsafe source.withUnsafeBytes { octets in
                let room = unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<start + octets.count])
                unsafe room.copyMemory(from: octets)
            }
        }
        self.count = start &+ source.count
    }

    /// Appends a text that must be ASCII.
    mutating func append(_ text: StaticString) {
        self.reserve(text.utf8CodeUnitCount)
        for index in 0..<text.utf8CodeUnitCount {
            self.octets[self.count] = unsafe text.utf8Start[index]
            self.count &+= 1
        }
    }

    /// Appends the octets with capital letters made small.
    mutating func appendLowerCase(_ source: Span<UInt8>) {
        self.reserve(source.count)
        let start = self.count
        var target = self.octets.mutableSpan
        for index in source.indices {
            let octet = source[index]
            target[start &+ index] = octet &- 0x41 < 26 ? octet | 0x20 : octet
        }
        self.count = start &+ source.count
    }

    /// Appends what `body` writes from a position on; it returns where it stopped.
    mutating func append<Failure: Error>(
        atMost most: Int,
        _ body: (inout MutableSpan<UInt8>, _ start: Int) throws(Failure) -> Int
    ) throws(Failure) {
        self.reserve(most)
        let start = self.count
        var target = self.octets.mutableSpan
        let end = try body(&target, start)
        precondition(end >= start && end <= target.count)
        self.count = end
    }

    /// Moves the octets from a position on to the front, and forgets those before.
    mutating func dropFirst(_ dropped: Int) {
        let rest = self.count - dropped
        precondition(dropped >= 0 && rest >= 0 && self.count <= self.octets.count)
        unsafe self.octets.withUnsafeMutableBytes { octets in
            let front = unsafe UnsafeMutableRawBufferPointer(rebasing: octets[0..<rest])
            unsafe front.copyMemory(from: UnsafeRawBufferPointer(rebasing: octets[dropped..<dropped + rest]))
        }
        self.count = rest
    }

    func write(into buffer: inout ByteBuffer) {
        unsafe buffer.writeBytes(self.octets.span.extracting(0..<self.count).bytes)
    }

    private mutating func grow(to needed: Int) {
        let capacity = max(needed, 2 * self.octets.count, 256)
        self.octets.append(contentsOf: repeatElement(0, count: capacity - self.octets.count))
    }
}
