import Bytes
import Testing

@Suite("Hexadecimal digits")
struct HexadecimalTests {
    @Test("Every byte is written with two digits, and read in either case")
    func bytes() {
        let bytes = Array(UInt8.min...UInt8.max)
        for uppercase in [false, true] {
            let digits = Hexadecimal.encode(bytes, uppercase: uppercase)
            #expect(digits.hasPrefix("000102030405060708090"))
            #expect(digits.hasSuffix(uppercase ? "FDFEFF" : "fdfeff"))
            #expect(Hexadecimal.decode(Array(digits.utf8)) == bytes)
        }
        #expect(Hexadecimal.encode([0xAB, 1], separator: UInt8(ascii: ":")) == "ab:01")
    }

    @Test("A number has all digits of its type")
    func numbers() {
        #expect(Hexadecimal.encode(UInt16(0x1F)) == "001f")
        #expect(Hexadecimal.encode(UInt32(0x0100_007F), uppercase: true) == "0100007F")
        #expect(Hexadecimal.encode(UInt64.max) == "ffffffffffffffff")
    }

    @Test("What is not pairs of digits is not read", arguments: ["a", "0g", "g0", "0x", " 0", "00 ", "\u{FF10}0"])
    func malformed(_ text: String) {
        #expect(Hexadecimal.decode(Array(text.utf8)) == nil)
    }
}
