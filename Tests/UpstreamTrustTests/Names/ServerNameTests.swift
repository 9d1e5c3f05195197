import Testing
import UpstreamTrust

@Suite struct ServerNameTests {
    static let addresses: [(String, [UInt8], String)] = [
        ("192.0.2.7", [192, 0, 2, 7], "192.0.2.7"),
        ("0.0.0.0", [0, 0, 0, 0], "0.0.0.0"),
        ("255.255.255.255", [255, 255, 255, 255], "255.255.255.255"),
        ("::1", low([1]), "::1"),
        ("[::1]", low([1]), "::1"),
        ("::", low([]), "::"),
        ("2001:DB8::7", [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], "2001:db8::7"),
        ("2001:db8:0:0:0:0:0:7", [0x20, 1, 0xD, 0xB8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 7], "2001:db8::7"),
        ("1:2:3:4:5:6:7:8", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8], "1:2:3:4:5:6:7:8"),
        ("1:0:3:4:5:6:7:8", [0, 1, 0, 0, 0, 3, 0, 4, 0, 5, 0, 6, 0, 7, 0, 8], "1:0:3:4:5:6:7:8"),
        ("1:0:0:4:0:0:0:8", [0, 1, 0, 0, 0, 0, 0, 4, 0, 0, 0, 0, 0, 0, 0, 8], "1:0:0:4::8"),
        // The first one of runs that are as long (RFC 5952, section 4.2.3).
        ("1:0:0:4:5:0:0:8", [0, 1, 0, 0, 0, 0, 0, 4, 0, 5, 0, 0, 0, 0, 0, 8], "1::4:5:0:0:8"),
        ("1::", [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0], "1::"),
        ("::ffff:192.0.2.7", low([255, 255, 192, 0, 2, 7]), "::ffff:192.0.2.7"),
        ("1:2:3:4:5:6:1.2.3.4", [0, 1, 0, 2, 0, 3, 0, 4, 0, 5, 0, 6, 1, 2, 3, 4], "1:2:3:4:5:6:102:304"),
    ]

    private static func low(_ bytes: [UInt8]) -> [UInt8] {
        [UInt8](repeating: 0, count: 16 - bytes.count) + bytes
    }

    @Test("An address is read in any notation, and written in the canonical one", arguments: addresses)
    func anAddressIsReadAndWrittenCanonically(_ host: String, bytes: [UInt8], text: String) {
        #expect(ServerName(host: host) == .ip(bytes))
        #expect(ServerName.ip(bytes).text == text)
    }

    @Test(
        "A host that is no address is a name",
        arguments: [
            "1.2.3", "1.2.3.4.5", "256.1.1.1", "01.2.3.4", "1.2.3.-4", "1.2.3.+4", "1.2.3.4 ", "0x7f.0.0.1", ":", ":::",
            "1:2", "1::2::3",
            "1:2:3:4:5:6:7:8:9", "1:2:3:4:5:6:7::8:9", "::1%eth0", "12345::", "::g", "::+1", "::-1", "1.2.3.4::",
            "::1.2.3", "1:2:3:4:5:6:7:1.2.3.4", ":1:2:3:4:5:6:7:8", "1:2:3:4:5:6:7:", "[]", "",
        ]
    )
    func whatIsNoAddressIsAName(_ host: String) {
        guard case .dns = ServerName(host: host) else {
            Issue.record("an address: \(ServerName(host: host))")
            return
        }
    }

    @Test(
        "A server's name is in lower case, and without the dot of the root",
        arguments: [
            ("API.Example.COM", "api.example.com"), ("api.example.com.", "api.example.com"), ("localhost", "localhost"),
        ]
    )
    func aNameIsInLowerCaseAndWithoutTheDotOfTheRoot(_ host: String, name: String) {
        #expect(ServerName(host: host) == .dns(name))
    }

    @Test("A server's name from a hostile client is printed escaped and cut")
    func aHostileNameIsPrintedEscapedAndCut() {
        let printed = ServerName(host: "a\r\nb\u{202E}" + String(repeating: "c", count: 1000)).description
        #expect(printed.hasPrefix("a\\u{d}\\u{a}b\\u{202e}ccc"))
        #expect(printed.count <= 256)
    }
}
