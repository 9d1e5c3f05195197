import Testing

@testable import HTTP1Codec

@Suite struct LineScannerTests {
    private func next(_ scanner: inout LineScanner, _ text: String) throws -> Range<Int>? {
        try scanner.next(in: Array(text.utf8).span)
    }

    @Test func `Lines are found one after the other`() throws {
        var scanner = LineScanner()
        let text = "abc\r\n\r\na much longer line\twith a tab\r\nrest"
        #expect(try next(&scanner, text) == 0..<3)
        #expect(try next(&scanner, text) == 5..<5)
        #expect(try next(&scanner, text) == 7..<36)
        #expect(try next(&scanner, text) == nil)
    }

    /// Changes what was looked at once behind the scanner's back, without its notice: nothing is scanned twice.
    @Test func `Bytes that were looked at are not looked at again`() throws {
        var scanner = LineScanner()
        #expect(try next(&scanner, "abcdefghijklmnop") == nil)
        #expect(try next(&scanner, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nqrs\r") == nil)
        #expect(try next(&scanner, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\r\n") == 0..<19)
    }

    @Test(arguments: 0..<24)
    func `A control character is found at every place of a word`(_ place: Int) {
        for byte in [0x00, 0x01, 0x08, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x1F, 0x7F] as [UInt8] {
            var bytes = [UInt8](repeating: 0x09, count: 24)
            bytes[place] = byte
            #expect(ByteScan.firstControl(in: bytes.span, from: 0) == place)
            bytes = [UInt8](repeating: 0xFF, count: 24)
            bytes[place] = byte
            #expect(ByteScan.firstControl(in: bytes.span, from: 0) == place)
        }
    }

    @Test func `The scans agree with their definitions for every byte and its neighbours`() {
        for byte in UInt8.min...UInt8.max {
            for other in [0x20, 0x21, 0x7E, 0x41] as [UInt8] {
                let bytes = [UInt8](repeating: other, count: 9) + [byte] + [UInt8](repeating: other, count: 9)
                let isControl = byte != 0x09 && (byte < 0x20 || byte == 0x7F)
                #expect(ByteScan.firstControl(in: bytes.span, from: 1) == (isControl ? 9 : 19))
                if other == 0x20 { continue }
                let isTarget = (0x21...0x7E).contains(byte) && byte != 0x23
                #expect(ByteScan.firstOutsideTarget(in: bytes.span, from: 1) == (isTarget ? 19 : 9))
            }
        }
    }

    @Test func `Tokens are those of RFC 9110`() {
        let specials = Set("!#$%&'*+-.^_`|~".utf8)
        for byte in UInt8.min...UInt8.max {
            let isLetter = (0x41...0x5A).contains(byte) || (0x61...0x7A).contains(byte)
            #expect(byte.isToken == (isLetter || (0x30...0x39).contains(byte) || specials.contains(byte)))
        }
    }
}
