/// Takes values from the beginning of an input; zeros once nothing is left.
struct InputReader {
    private var rest: ArraySlice<UInt8>

    init(_ input: [UInt8]) {
        rest = input[...]
    }

    var isAtEnd: Bool { rest.isEmpty }

    mutating func byte() -> UInt8 {
        rest.popFirst() ?? 0
    }

    mutating func flag() -> Bool {
        byte() & 1 == 1
    }

    /// A number of two bytes, big-endian.
    mutating func number() -> Int {
        Int(byte()) << 8 | Int(byte())
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(byte()) % elements.count]
    }

    mutating func bytes(_ count: Int) -> [UInt8] {
        let taken = rest.prefix(count)
        rest = rest.dropFirst(count)
        return Array(taken)
    }

    /// A stretch of bytes after its length, which is one byte.
    mutating func stretch() -> [UInt8] {
        let count = Int(byte())
        return bytes(count)
    }

    mutating func remainder() -> [UInt8] {
        defer { rest = [] }
        return Array(rest)
    }

    /// The bytes before the next one of this value, which is passed over; all that are left if there is none.
    mutating func prefix(through delimiter: UInt8) -> [UInt8] {
        let taken = rest.prefix { $0 != delimiter }
        rest = rest.dropFirst(taken.count + 1)
        return Array(taken)
    }
}
