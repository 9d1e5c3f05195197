/// Takes the chunks of a body (RFC 9112, section 7.1) apart, as they come.
struct ChunkedText {
    private enum Place {
        case size
        case data(left: Int)
        /// The line end behind a chunk.
        case dataEnd
        case over
    }

    struct Malformed: Error {}

    private var place = Place.size
    private var line: [UInt8] = []

    /// Indicates whether the last chunk has come.
    var isOver: Bool {
        if case .over = place { true } else { false }
    }

    /// Returns what of these bytes is the body's.
    mutating func take(_ bytes: some Sequence<UInt8>) throws(Malformed) -> [UInt8] {
        var body: [UInt8] = []
        for byte in bytes {
            switch place {
            case .data(let left):
                body.append(byte)
                place = left == 1 ? .dataEnd : .data(left: left - 1)
            case .dataEnd:
                if byte == UInt8(ascii: "\n") { place = .size }
            case .size where byte == UInt8(ascii: "\n"):
                place = try next()
            case .size:
                guard line.count < 64 else { throw Malformed() }
                line.append(byte)
            case .over: break
            }
        }
        return body
    }

    /// The place behind the line with a chunk's size.
    private mutating func next() throws(Malformed) -> Place {
        let digits = String(decoding: line.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }, as: UTF8.self)
        line = []
        guard let size = Int(digits, radix: 16), size >= 0 else { throw Malformed() }
        return size == 0 ? .over : .data(left: size)
    }
}
