/// Takes values from the beginning of an input; zeros once nothing is left.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        self.rest = input[...]
    }

    var isAtEnd: Bool { self.rest.isEmpty }

    mutating func byte() -> UInt8 {
        self.rest.popFirst() ?? 0
    }

    mutating func flag() -> Bool {
        self.byte() & 1 == 1
    }

    /// A number of two bytes, big-endian.
    mutating func number() -> Int {
        Int(self.byte()) << 8 | Int(self.byte())
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(self.byte()) % elements.count]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = self.rest.prefix(count)
        self.rest = self.rest.dropFirst(count)
        return Array(taken)
    }

    /// A stretch of bytes after its length, which is one byte.
    mutating func stretch() -> [UInt8] {
        let count = Int(self.byte())
        return self.bytes(count)
    }

    mutating func remainder() -> [UInt8] {
        defer { self.rest = [] }
        return Array(self.rest)
    }

    /// The bytes before the next one of this value, which is passed over; all that are left if there is none.
    mutating func prefix(through delimiter: UInt8) -> [UInt8] {
        let taken = self.rest.prefix { $0 != delimiter }
        self.rest = self.rest.dropFirst(taken.count + 1)
        return Array(taken)
    }
}
