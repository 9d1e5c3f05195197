import FoundationEssentials

/// Takes a run of bytes apart from its beginning. Whatever would go beyond the end is nil.
struct ByteReader {
    private var rest: Data

    init(_ bytes: Data) {
        rest = bytes
    }

    var isAtEnd: Bool { rest.isEmpty }

    /// A copy of the next bytes.
    mutating func take(_ count: Int) -> Data? {
        guard count <= rest.count else { return nil }
        let end = rest.startIndex + count
        defer { rest = rest[end...] }
        return rest.subdata(in: rest.startIndex..<end)
    }

    /// A big-endian number.
    mutating func number<Number: FixedWidthInteger & UnsignedInteger>(_: Number.Type) -> Number? {
        take(Number.bitWidth / 8)?.reduce(0) { $0 << 8 | Number($1) }
    }

    /// Returns the number of bytes that have been taken off the run that it began with.
    func position(in bytes: Data) -> Int { bytes.count - rest.count }
}
