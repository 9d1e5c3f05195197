import Testing
import TestSupport

@testable import HTTP2Codec

@Suite struct HuffmanCodeTests {
    /// The codes of RFC 7541, appendix B, that stand at the ends of their lengths.
    static let codes: [(symbol: UInt8, code: UInt32, length: Int)] = [
        (0x30, 0x0, 5), (0x74, 0x9, 5), (0x20, 0x14, 6), (0x75, 0x2D, 6), (0x3A, 0x5C, 7), (0x7A, 0x7B, 7),
        (0x26, 0xF8, 8), (0x5A, 0xFD, 8), (0x21, 0x3F8, 10), (0x3F, 0x3FC, 10), (0x27, 0x7FA, 11), (0x7C, 0x7FC, 11),
        (0x23, 0xFFA, 12), (0x3E, 0xFFB, 12), (0x00, 0x1FF8, 13), (0x7E, 0x1FFD, 13), (0x5E, 0x3FFC, 14),
        (0x7D, 0x3FFD, 14), (0x3C, 0x7FFC, 15), (0x7B, 0x7FFE, 15), (0x5C, 0x7FFF0, 19), (0xD0, 0x7FFF2, 19),
        (0x80, 0xFFFE6, 20), (0xE2, 0xFFFED, 20), (0x99, 0x1FFFDC, 21), (0xE6, 0x1FFFE8, 21), (0x81, 0x3FFFD2, 22),
        (0xE9, 0x3FFFEB, 22), (0x01, 0x7FFFD8, 23), (0xEF, 0x7FFFF4, 23), (0x09, 0xFFFFEA, 24), (0xED, 0xFFFFF5, 24),
        (0xC7, 0x1FFFFEC, 25), (0xEB, 0x1FFFFEF, 25), (0xC0, 0x3FFFFE0, 26), (0xFF, 0x3FFFFEE, 26),
        (0xCB, 0x7FFFFDE, 27), (0xFE, 0x7FFFFF0, 27), (0x02, 0xFFFFFE2, 28), (0xF9, 0xFFFFFFE, 28),
        (0x0A, 0x3FFFFFFC, 30), (0x16, 0x3FFFFFFE, 30),
    ]

    private func decoded(_ coded: [UInt8]) throws(HeaderBlockError) -> [UInt8] {
        var store = ByteStore()
        try store.append(atMost: HuffmanCode.mostBytes(of: coded.count)) {
            (output, end) throws(HeaderBlockError) in
            try HuffmanCode.shared.decode(coded.span, into: &output, at: &end)
        }
        return Array(store.bytes[..<store.count])
    }

    /// Codes one behind the other, the last byte padded with ones.
    private func joined(_ codes: [(code: UInt32, length: Int)]) -> [UInt8] {
        var bits: [Bool] = []
        for (code, length) in codes { bits += (0..<length).reversed().map { code >> UInt32($0) & 1 == 1 } }
        while bits.count % 8 != 0 { bits.append(true) }
        return stride(from: 0, to: bits.count, by: 8).map { start in
            bits[start..<start + 8].reduce(0) { $0 << 1 | ($1 ? 1 : 0) }
        }
    }

    @Test(arguments: codes) func `A symbol has its code`(_ symbol: UInt8, _ code: UInt32, _ length: Int) throws {
        #expect(try decoded(joined([(code, length)])) == [symbol])
        for other in Self.codes {
            let both = joined([(code, length), (other.code, other.length), (code, length)])
            #expect(try decoded(both) == [symbol, other.symbol, symbol])
        }
    }

    @Test func `Every byte has a code, and no two the same`() {
        #expect(Set(HuffmanCode.shared.symbols).count == 256)
    }

    @Test func `As many bytes as the shortest codes allow are decoded`() throws {
        for count in 1...40 {
            let coded = joined([(UInt32, Int)](repeating: (0x3, 5), count: count))
            #expect(try decoded(coded) == [UInt8](repeating: 0x61, count: count))
        }
    }

    @Test func `No bytes are an empty string`() throws {
        #expect(try decoded([]) == [])
    }

    @Test(arguments: [
        ("padding of eight ones", [0x1F, 0xFF]),
        ("padding alone", [0xFF]),
        ("padding with a zero", [0x1E]),
        ("padding of zeros", [0x18]),
        ("the end of string", [0xFF, 0xFF, 0xFF, 0xFF]),
        ("the end of string behind a byte", [0x1F, 0xFF, 0xFF, 0xFF, 0xFF]),
        ("the end of string before a byte", [0xFF, 0xFF, 0xFF, 0xFC, 0x1F]),
        ("a code cut short", [0xFF, 0xFF, 0xFF]),
    ])
    func `A string is refused`(_ note: String, _ coded: [UInt8]) {
        #expect(throws: HeaderBlockError.compression) { try decoded(coded) }
    }

    @Test func `Any bytes are decoded or refused`() {
        var random = SeededGenerator(seed: 7)
        for _ in 0..<1_000 {
            let coded = (0..<random.below(40)).map { _ in random.chance(3) ? 0xFF : UInt8(random.below(256)) }
            let result = try? decoded(coded)
            #expect((result?.count ?? 0) <= coded.count * 8 / 5)
        }
    }
}
