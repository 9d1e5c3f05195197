import Bytes
import Testing

@Suite("Eight bytes at once")
struct EightBytesTests {
    @Test("Unreserved characters are counted up to each other byte, at each place")
    func unreserved() {
        for byte in UInt8.min...UInt8.max {
            let isCounted = PercentEncoding.isUnreserved(byte) && byte != UInt8(ascii: "~")
            for place in 0..<8 {
                for other in [UInt8(ascii: "a"), UInt8(ascii: "Z"), UInt8(ascii: "9"), UInt8(ascii: "_")] {
                    var bytes = [UInt8](repeating: other, count: 8)
                    bytes[place] = byte
                    #expect(EightBytes(Self.word(bytes)).unreservedCount == (isCounted ? 8 : place), "\(bytes)")
                }
            }
        }
    }

    @Test("What is behind the first byte that is none of them changes nothing", arguments: 0..<8)
    func rest(_ place: Int) {
        for byte in UInt8.min...UInt8.max {
            let bytes = (0..<8).map { $0 < place ? UInt8(ascii: "q") : $0 == place ? UInt8(ascii: "%") : byte }
            #expect(EightBytes(Self.word(bytes)).unreservedCount == place)
        }
    }

    @Test("Bounds are part of what is between them")
    func between() {
        for byte in UInt8.min...UInt8.max {
            let bytes = [byte, 0x30, 0x39, 0x2F, 0x3A, 0xFF, 0xB5, 0]
            let expected: UInt64 = 0x0000_0000_0080_8000 | (0x30...0x39 ~= byte ? 0x80 : 0)
            #expect(EightBytes(Self.word(bytes)).between(0x30, 0x39) == expected)
        }
    }

    private static func word(_ bytes: [UInt8]) -> UInt64 {
        bytes.reversed().reduce(0) { $0 << 8 | UInt64($1) }
    }
}
