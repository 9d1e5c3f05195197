extension HuffmanCode {
    /// The most bytes that so many bytes of code can stand for: the shortest code has 5 bits. Two more may be
    /// written and not counted.
    static func mostBytes(of count: Int) -> Int { count * 8 / 5 + 2 }

    /// Decodes a string literal (RFC 7541, section 5.2).
    ///
    /// - Parameters:
    ///   - output: Has room for `mostBytes` behind `end`.
    ///   - end: Where the bytes are written; moved behind them.
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
