import Bytes
import Testing

@Suite("IP address")
struct IPAddressTests {
    @Test(
        "is written canonically (RFC 5952)",
        arguments: [
            ("192.0.2.1", "192.0.2.1"),
            ("0.0.0.0", "0.0.0.0"),
            ("255.255.255.255", "255.255.255.255"),
            ("::", "::"),
            ("::1", "::1"),
            ("1::", "1::"),
            ("2001:0DB8:0000:0000:0000:0000:0000:0001", "2001:db8::1"),
            ("2001:db8:0:1:1:1:1:1", "2001:db8:0:1:1:1:1:1"),
            ("2001:0:0:1:0:0:0:1", "2001:0:0:1::1"),
            ("2001:db8:0:0:1:0:0:1", "2001:db8::1:0:0:1"),
            ("1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"),
            ("::2:3:4:5:6:7:8", "0:2:3:4:5:6:7:8"),
            ("::ffff:1.2.3.4", "::ffff:1.2.3.4"),
            ("::ffff:0102:0304", "::ffff:1.2.3.4"),
            ("64:ff9b::192.0.2.33", "64:ff9b::c000:221"),
        ]
    )
    func canonical(_ text: String, _ expected: String) throws {
        let address = try #require(IPAddress(text))
        #expect(address.description == expected)
        #expect(IPAddress(address.description) == address)
    }

    @Test(
        "is not read from anything else",
        arguments: [
            "", ".", "1", "1.2.3", "1.2.3.4.", ".1.2.3.4", "1..2.3", "01.2.3.4", "1.2.3.256", "1.2.3.4 ", "1.2.3.-4",
            "1.2.3.4444",
            ":", ":::", "1", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9", "1::2::3", "::1:", ":1::", "12345::", "g::", "::1%1",
            "1:2:3:4:5:6:7:8::",
            "1:2:3:4::5:6:7:8", "::1.2.3", "1.2.3.4::", "::1.2.3.4:5", "[::1]",
        ]
    )
    func refused(_ text: String) {
        #expect(IPAddress(text) == nil)
    }

    @Test("is made of 4 or 16 bytes and of no other number")
    func bytes() {
        #expect(IPAddress(bytes: [192, 0, 2, 1]) == IPAddress("192.0.2.1"))
        #expect(IPAddress(bytes: [0x20, 1] + [UInt8](repeating: 0, count: 13) + [9]) == IPAddress("2001::9"))
        for count in [0, 3, 5, 15, 17] { #expect(IPAddress(bytes: [UInt8](repeating: 1, count: count)) == nil) }
    }

    @Test("of loopback is told, mapped or not")
    func loopback() throws {
        for text in ["127.0.0.1", "127.255.0.9", "::1", "::ffff:127.0.0.1"] {
            #expect(try #require(IPAddress(text)).isLoopback, "\(text)")
        }
        for text in ["128.0.0.1", "0.0.0.0", "::", "::2", "::ffff:128.0.0.1"] {
            #expect(try !#require(IPAddress(text)).isLoopback, "\(text)")
        }
    }
}
