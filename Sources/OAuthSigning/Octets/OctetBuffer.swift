/// Octets that are written once, in words of eight where it can be, and read back while more are appended.
///
/// The storage is always initialized beyond what has been written, so that a word may be stored of which only the first
/// octets count; the next append overwrites the rest.
struct OctetBuffer: Sendable {
    private(set) var storage: [UInt8]
    private(set) var count = 0

    /// The octets a store may touch beyond those that count.
    private static let slack = 8

    init(capacity: Int) {
        storage = [UInt8](repeating: 0, count: capacity + Self.slack)
    }

    /// Makes room for `additional` octets more.
    mutating func reserve(_ additional: Int) {
        let needed = count + additional + Self.slack
        guard needed > storage.count else { return }
        storage.append(contentsOf: repeatElement(0, count: max(needed, 2 * storage.count) - storage.count))
    }

    /// Appends the octets packed in `word` (see ``PercentEncoding/Table``).
    @inline(__always)
    mutating func append(packed word: UInt64) {
        reserve(8)
        var position = count
        var bytes = storage.mutableSpan
        bytes.store(word, at: &position)
        count = position
    }

    mutating func append(_ octets: Span<UInt8>) {
        reserve(octets.count)
        var position = count
        var bytes = storage.mutableSpan
        bytes.store(octets, at: &position)
        count = position
    }

    mutating func append(_ octets: [UInt8]) {
        append(octets.span)
    }

    mutating func append(_ octet: UInt8) {
        reserve(1)
        storage[count] = octet
        count += 1
    }

    /// Appends each octet as `table` encodes it.
    mutating func append(encoding octets: Span<UInt8>, with table: PercentEncoding.Table) {
        reserve(5 * octets.count)
        var position = count
        let table = table.span
        var bytes = storage.mutableSpan
        for index in octets.indices {
            bytes.store(table[Int(octets[index])], at: &position)
        }
        count = position
    }

    /// Appends octets of this very buffer once more.
    mutating func append(own range: Range<Int>) {
        reserve(range.count)
        var position = count
        var bytes = storage.mutableSpan
        bytes.storeAgain(range, at: &position)
        count = position
    }

    /// Reads one pair of `form`, up to and with the `&` that ends it, and appends it encoded twice, name and value joined by `separator`.
    /// - Returns: where the name ends.
    mutating func appendPair(of form: Span<UInt8>, from position: inout Int, separator: UInt64) -> Int {
        let encoding = PercentEncoding.double
        let table = encoding.span
        var end = count
        var nameEnd: Int?
        var bytes = storage.mutableSpan
        while position < form.count {
            let octet = form[position]
            if octet == UInt8(ascii: "&") {
                position += 1
                break
            }
            if octet == UInt8(ascii: "="), nameEnd == nil {
                position += 1
                nameEnd = end
                bytes.store(separator, at: &end)
                continue
            }
            let decoded = form.percentDecoded(at: &position, plusIsSpace: true)
            bytes.store(table[Int(decoded)], at: &end)
        }
        if nameEnd == nil {
            nameEnd = end
            bytes.store(separator, at: &end)
        }
        count = end
        return nameEnd ?? end
    }

    /// Whether the octets of `range` are `octets`.
    func holds(_ octets: [UInt8], at range: Range<Int>) -> Bool {
        storage.span.extracting(range).equals(octets)
    }

    /// The octets so far.
    consuming func octets() -> [UInt8] {
        storage.removeLast(storage.count - count)
        return storage
    }

    /// The octets of `range`, as the text that they are known to be.
    func text(_ range: Range<Int>) -> String {
        String(decoding: storage[range], as: UTF8.self)
    }
}
