import Testing

@testable import HTTP1Codec

@Suite struct LineScannerTests {
    private func next(_ scanner: inout LineScanner, _ text: String) throws -> Range<Int>? {
        try scanner.next(in: Array(text.utf8).span)
    }

    @Test func `Lines are found one after the other`() throws {
        var scanner = LineScanner()
        let text = "abc\r\n\r\na much longer line\twith a tab\r\nrest"
        #expect(try self.next(&scanner, text) == 0..<3)
        #expect(try self.next(&scanner, text) == 5..<5)
        #expect(try self.next(&scanner, text) == 7..<36)
        #expect(try self.next(&scanner, text) == nil)
    }

    /// What was looked at once could change behind the scanner's back without its notice: nothing is scanned twice.
    @Test func `Octets that were looked at are not looked at again`() throws {
        var scanner = LineScanner()
        #expect(try self.next(&scanner, "abcdefghijklmnop") == nil)
        #expect(try self.next(&scanner, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\nqrs\r") == nil)
        #expect(try self.next(&scanner, "\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\n\r\n") == 0..<19)
    }

    @Test(arguments: 0..<24)
    func `A control character is found at every place of a word`(_ place: Int) {
        for octet in [0x00, 0x01, 0x08, 0x0A, 0x0B, 0x0C, 0x0D, 0x0E, 0x1F, 0x7F] as [UInt8] {
            var octets = [UInt8](repeating: 0x09, count: 24)
            octets[place] = octet
            #expect(OctetScan.firstControl(in: octets.span, from: 0) == place)
            octets = [UInt8](repeating: 0xFF, count: 24)
            octets[place] = octet
            #expect(OctetScan.firstControl(in: octets.span, from: 0) == place)
        }
    }

    @Test func `The scans agree with their definitions for every octet and its neighbours`() {
        for octet in UInt8.min...UInt8.max {
            for other in [0x20, 0x21, 0x7E, 0x41] as [UInt8] {
                let octets = [UInt8](repeating: other, count: 9) + [octet] + [UInt8](repeating: other, count: 9)
                let isControl = octet != 0x09 && (octet < 0x20 || octet == 0x7F)
                #expect(OctetScan.firstControl(in: octets.span, from: 1) == (isControl ? 9 : 19))
                if other == 0x20 { continue }
                let isTarget = (0x21...0x7E).contains(octet) && octet != 0x23
                #expect(OctetScan.firstOutsideTarget(in: octets.span, from: 1) == (isTarget ? 19 : 9))
            }
        }
    }

    @Test func `Tokens are those of RFC 9110`() {
        let specials = Set("!#$%&'*+-.^_`|~".utf8)
        for octet in UInt8.min...UInt8.max {
            let isLetter = (0x41...0x5A).contains(octet) || (0x61...0x7A).contains(octet)
            #expect(octet.isToken == (isLetter || (0x30...0x39).contains(octet) || specials.contains(octet)))
        }
    }
}
