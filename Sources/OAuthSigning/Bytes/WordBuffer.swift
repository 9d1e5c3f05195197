import Bytes

/// Bytes that are written once, in words of eight where it can be, and read back while more are appended.
///
/// The storage is always initialized beyond what has been written, so that a word may be stored of which only the first
/// bytes count; the next append overwrites the rest. Each method opens the storage once, however much it appends.
struct WordBuffer: Sendable {
    private(set) var storage: [UInt8]
    private(set) var count = 0

    /// The bytes a store or a load may touch beyond those that count.
    private static let slack = 8

    /// An empty buffer without room.
    init() { storage = [] }

    init(capacity: Int) {
        // An array that is made with its count looks for its own type at run time, which takes longer than all else
        // here.
        storage = []
        grow(to: capacity + Self.slack)
    }

    /// Forgets what has been written, and keeps the room.
    mutating func clear() {
        count = 0
    }

    /// The bytes that it can hold without growing.
    var capacity: Int { max(0, storage.count - Self.slack) }

    /// Makes room for `additional` bytes more.
    @inline(__always)
    mutating func reserve(_ additional: Int) {
        let needed = count + additional + Self.slack
        if needed > storage.count { grow(to: needed) }
    }

    @inline(never)
    private mutating func grow(to needed: Int) {
        let count = max(needed, 2 * storage.count)
        storage.reserveCapacity(count)
        storage.append(contentsOf: repeatElement(0, count: count - storage.count))
    }

    /// Appends the bytes packed in `word` (see ``EncodingTables/Table``).
    @inline(__always)
    mutating func append(packed word: UInt64) {
        reserve(8)
        var end = count
        var target = storage.mutableSpan
        target.store(word, at: &end)
        count = end
    }

    mutating func append(_ bytes: Span<UInt8>) {
        reserve(bytes.count)
        var end = count
        var target = storage.mutableSpan
        target.store(bytes, at: &end)
        count = end
    }

    mutating func append(_ bytes: [UInt8]) {
        append(bytes.span)
    }

    mutating func append(_ byte: UInt8) {
        reserve(1)
        storage[count] = byte
        count += 1
    }

    /// Appends each byte as `table` encodes it.
    mutating func append(encoding bytes: Span<UInt8>, with table: EncodingTables.Table) {
        reserve(EncodingTables.longest * bytes.count)
        var end = count
        let table = table.span
        var target = storage.mutableSpan
        for index in bytes.indices {
            target.store(table[Int(bytes[index])], at: &end)
        }
        count = end
    }

    /// Gives up the bytes without a copy, and is empty.
    mutating func takeBytes() -> [UInt8] {
        var bytes: [UInt8] = []
        swap(&bytes, &storage)
        bytes.removeLast(bytes.count - count)
        count = 0
        return bytes
    }

    /// The bytes of `range`, as the text that they are known to be.
    func text(_ range: Range<Int>) -> String {
        String(decoding: storage[range], as: UTF8.self)
    }
}

extension WordBuffer {
    /// `%3D` and `%26`, packed.
    private static let equals = EncodingTables.word("%3D".utf8)
    private static let ampersand = EncodingTables.word("%26".utf8)

    /// Appends a parameter as it stands in the base string.
    /// - Parameters:
    ///   - name: The name, encoded twice already.
    ///   - value: The value, which is encoded with `table`.
    mutating func append(
        name: Span<UInt8>,
        value: Span<UInt8>,
        encodedWith table: EncodingTables.Table,
        origin: ParameterOrigin
    ) -> SignedParameter {
        reserve(name.count + 3 + EncodingTables.longest * value.count)
        let equals = Self.equals
        let start = count
        var end = start
        let table = table.span
        var target = storage.mutableSpan
        target.store(name, at: &end)
        let nameEnd = end
        target.store(equals, at: &end)
        for index in value.indices {
            target.store(table[Int(value[index])], at: &end)
        }
        let parameter = SignedParameter(name: start..<nameEnd, end: end, prefix: target.word(at: start), origin: origin)
        count = end
        return parameter
    }

    /// Appends the pairs of `form` as they stand in the base string, each after the other, and describes them in
    /// `parameters`.
    mutating func append(form: Span<UInt8>, to parameters: inout [SignedParameter], origin: ParameterOrigin) {
        // A separator is no longer than the byte it stands for may become; only the last pair's may stand for none.
        reserve(EncodingTables.bound(form) + 3)
        let (equals, encoding, plainEncoding) = (Self.equals, EncodingTables.double, EncodingTables.plainOfForm)
        let (table, plain) = (encoding.span, plainEncoding.span)
        // Which is how many they have, and spares a check for each byte.
        precondition(table.count == 256 && plain.count == 256)
        var end = count
        var target = storage.mutableSpan
        var position = 0
        while position < form.count {
            if form[position] == UInt8(ascii: "&") {
                position += 1
                continue
            }
            let start = end
            let nameEnd = target.storePair(
                of: form,
                from: &position,
                at: &end,
                separator: equals,
                plain: plain,
                table: table
            )
            parameters.append(
                SignedParameter(name: start..<nameEnd, end: end, prefix: target.word(at: start), origin: origin)
            )
        }
        count = end
    }

    /// Appends parameters of this very buffer once more, joined as in the base string.
    mutating func append(joining parameters: [SignedParameter]) {
        reserve(parameters.reduce(0) { $0 + $1.count + 3 })
        let ampersand = Self.ampersand
        var end = count
        var target = storage.mutableSpan
        for index in parameters.indices {
            if index > 0 { target.store(ampersand, at: &end) }
            target.storeAgain(parameters[index].pair, at: &end)
        }
        count = end
    }
}

extension MutableSpan<UInt8> {
    /// Reads one pair of `form`, up to and with the `&` that ends it, and stores it encoded, name and value joined by
    /// `separator`.
    /// - Returns: Where the name ends.
    @inline(__always)
    fileprivate mutating func storePair(
        of form: Span<UInt8>,
        from position: inout Int,
        at end: inout Int,
        separator: UInt64,
        plain: Span<UInt64>,
        table: Span<UInt64>
    ) -> Int {
        var nameEnd = -1
        var (next, stored) = (position, end)
        reading: while next < form.count {
            let byte = form[next]
            let word = plain[Int(byte)]
            if word != 0 {
                next &+= 1
                store(word, at: &stored)
                continue
            }
            switch byte {
            case UInt8(ascii: "&"):
                next += 1
                break reading
            case UInt8(ascii: "=") where nameEnd < 0:
                next += 1
                nameEnd = stored
                store(separator, at: &stored)
            default:
                store(table[Int(form.percentDecoded(at: &next, plusIsSpace: true))], at: &stored)
            }
        }
        if nameEnd < 0 {
            nameEnd = stored
            store(separator, at: &stored)
        }
        (position, end) = (next, stored)
        return nameEnd
    }
}
