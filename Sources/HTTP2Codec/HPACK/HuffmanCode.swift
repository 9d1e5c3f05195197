/// The code of HPACK's strings (RFC 7541, appendix B), made ready for decoding.
///
/// The code is canonical: codes of one length are consecutive numbers in the order of their symbols, and a longer code
/// is larger than any shorter one. So the lengths say everything.
struct HuffmanCode: Sendable {
    static let shared = HuffmanCode()

    /// The number of bits that are looked up at once: enough for two of the most frequent symbols, whose codes have 5
    /// or 6 bits.
    private static let lookupBits = 12

    /// The symbols for each value of the next twelve bits: the first symbol (bits 0 to 7), the second (8 to 15), the
    /// bits of the first code (16 to 19), the bits of both (20 to 23), and how many symbols there are (24 and 25): 0 if
    /// the first code is longer than that.
    private var lookup = [UInt32](repeating: 0, count: 1 << lookupBits)
    /// The first code of each length, with its highest bit at bit 31.
    private var firstCodes = [UInt32](repeating: 0, count: 32)
    /// The index in `symbols` at which the symbols of each length begin.
    private var firstSymbols = [Int](repeating: 0, count: 32)
    /// The bytes in the order of their codes; the end of string is not among them.
    private(set) var symbols: [UInt8] = []

    private init() {
        var code: UInt64 = 0
        for length in 5...30 {
            firstCodes[length] = UInt32(code << UInt64(32 - length))
            firstSymbols[length] = symbols.count
            for symbol in 0..<256 where Self.lengths[symbol] == length {
                symbols.append(UInt8(symbol))
                fillLookup(UInt8(symbol), code: Int(code), length: length)
                code += 1
            }
            code <<= 1
        }
        pairLookup()
    }

    /// Enters a code at every value that begins with it.
    private mutating func fillLookup(_ symbol: UInt8, code: Int, length: Int) {
        guard length <= Self.lookupBits else { return }
        let rest = Self.lookupBits - length
        for value in code << rest..<(code + 1) << rest {
            lookup[value] = 1 << 24 | UInt32(length) << 20 | UInt32(length) << 16 | UInt32(symbol)
        }
    }

    /// Enters a second symbol where its code fits behind the first.
    private mutating func pairLookup() {
        let single = lookup
        for value in single.indices where single[value] != 0 {
            let length = Int(single[value] >> 16 & 0xF)
            let next = single[value << length & (single.count - 1)]
            let both = length + Int(next >> 16 & 0xF)
            guard next != 0, both <= Self.lookupBits else { continue }
            let first = single[value] & 0xF_00FF
            lookup[value] = 2 << 24 | UInt32(both) << 20 | first | (next & 0xFF) << 8
        }
    }

    /// The code lengths of the bytes from 0 on. The end of string has 30 bits, all of them 1.
    private static let lengths: [UInt8] = [
        13, 23, 28, 28, 28, 28, 28, 28, 28, 24, 30, 28, 28, 30, 28, 28,
        28, 28, 28, 28, 28, 28, 30, 28, 28, 28, 28, 28, 28, 28, 28, 28,
        6, 10, 10, 12, 13, 6, 8, 11, 10, 10, 8, 11, 8, 6, 6, 6,
        5, 5, 5, 6, 6, 6, 6, 6, 6, 6, 7, 8, 15, 6, 12, 10,
        13, 6, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7, 7,
        7, 7, 7, 7, 7, 7, 7, 7, 8, 7, 8, 13, 19, 13, 14, 6,
        15, 5, 6, 5, 6, 5, 6, 6, 6, 5, 7, 7, 6, 6, 6, 5,
        6, 7, 6, 5, 5, 6, 7, 7, 7, 7, 7, 15, 11, 14, 13, 28,
        20, 22, 20, 20, 22, 22, 22, 23, 22, 23, 23, 23, 23, 23, 24, 23,
        24, 24, 22, 23, 24, 23, 23, 23, 23, 21, 22, 23, 22, 23, 23, 24,
        22, 21, 20, 22, 22, 23, 23, 21, 23, 22, 22, 24, 21, 22, 23, 23,
        21, 21, 22, 21, 23, 22, 23, 23, 20, 22, 22, 22, 23, 22, 22, 23,
        26, 26, 20, 19, 22, 23, 22, 25, 26, 26, 26, 27, 27, 26, 24, 25,
        19, 21, 26, 27, 27, 26, 27, 24, 21, 21, 26, 26, 28, 27, 27, 27,
        20, 24, 20, 21, 22, 21, 21, 23, 22, 22, 25, 25, 24, 24, 26, 23,
        26, 27, 26, 26, 27, 27, 27, 27, 27, 28, 27, 27, 27, 27, 27, 26,
    ]
}

extension HuffmanCode {
    /// The most bytes that so many bytes of code can stand for: the shortest code has 5 bits. Two more may be
    /// written and not counted.
    static func mostBytes(of count: Int) -> Int { count * 8 / 5 + 2 }

    /// Decodes a string literal (RFC 7541, section 5.2).
    ///
    /// - Parameters:
    ///   - output: Has room for `mostBytes` behind `end`.
    ///   - end: The position at which the bytes are written; moved behind them.
    /// - Throws: `compression` if the end of string is coded, or the padding is longer than 7 bits or not all ones.
    func decode(
        _ input: Span<UInt8>,
        into output: inout MutableSpan<UInt8>,
        at end: inout Int
    ) throws(HeaderBlockError) {
        let lookup = self.lookup.span
        /// The bits to come, the next one highest; below them zeros, or bits of bytes that are yet to be counted.
        var window: UInt64 = 0
        var bits = 0
        var index = 0
        while true {
            // The longest code has 30 bits.
            if bits < 30 {
                if index &+ 8 <= input.count {
                    // What does not fit whole is read once more the next time, and comes to lie over itself.
                    window |= ByteCopying.word(of: input, at: index) >> UInt64(bits)
                    index &+= (63 &- bits) >> 3
                    bits |= 56
                } else {
                    while bits <= 56, index < input.count {
                        window |= UInt64(input[index]) << UInt64(56 &- bits)
                        index &+= 1
                        bits &+= 8
                    }
                }
            }
            let found = lookup[Int(window >> 52)]
            let both = Int(found >> 20 & 0xF)
            if found != 0, both <= bits {
                output[end] = UInt8(truncatingIfNeeded: found)
                output[end &+ 1] = UInt8(truncatingIfNeeded: found >> 8)
                end &+= Int(found >> 24)
                window <<= UInt64(both)
                bits &-= both
                continue
            }
            let length = found != 0 ? Int(found >> 16 & 0xF) : longLength(of: window)
            guard length <= bits else { break }
            let symbol = found != 0 ? UInt8(truncatingIfNeeded: found) : try longSymbol(window, length: length)
            output[end] = symbol
            end &+= 1
            window <<= UInt64(length)
            bits &-= length
        }
        let padding = window >> UInt64(64 &- bits)
        guard bits < 8, padding == (1 << UInt64(bits)) &- 1 else { throw .compression }
    }

    /// The length of the code that begins with the highest bit, if it is longer than the lookup goes.
    private func longLength(of window: UInt64) -> Int {
        let next = UInt32(truncatingIfNeeded: window >> 32)
        var length = Self.lookupBits + 1
        while length < 30, next >= firstCodes[length + 1] { length += 1 }
        return length
    }

    private func longSymbol(_ window: UInt64, length: Int) throws(HeaderBlockError) -> UInt8 {
        let next = UInt32(truncatingIfNeeded: window >> 32)
        let position = firstSymbols[length] + Int((next - firstCodes[length]) >> UInt32(32 - length))
        // Behind the last byte's code comes only the end of string.
        guard position < symbols.count else { throw .compression }
        return symbols[position]
    }
}
