import Bytes
import Routing
import Testing

@Suite("IP network")
struct IPNetworkTests {
    @Test(
        "holds the addresses of its prefix and no other",
        arguments: [
            ("169.254.0.0/16", "169.254.169.254", true),
            ("169.254.0.0/16", "169.255.0.0", false),
            ("169.254.0.0/16", "::ffff:169.254.169.254", true),
            ("169.254.0.0/16", "::a9fe:a9fe", false),
            ("10.0.0.0/8", "10.255.255.255", true),
            ("10.0.0.0/8", "11.0.0.0", false),
            ("0.0.0.0/0", "255.1.2.3", true),
            ("0.0.0.0/0", "::1", false),
            ("::/0", "2001:db8::1", true),
            ("::/0", "10.0.0.1", false),
            ("192.0.2.1", "192.0.2.1", true),
            ("192.0.2.1/32", "192.0.2.2", false),
            ("fe80::/10", "fe80::1", true),
            ("fe80::/10", "febf:ffff::1", true),
            ("fe80::/10", "fec0::1", false),
            ("2001:db8::/64", "2001:db8::ffff:1", true),
            ("2001:db8::/64", "2001:db8:0:1::", false),
            ("2001:db8::8000:0:0:0/65", "2001:db8::8000:0:0:9", true),
            ("2001:db8::8000:0:0:0/65", "2001:db8::7000:0:0:9", false),
            ("2001:db8::1", "2001:db8::1", true),
            ("2001:db8::1/128", "2001:db8::2", false),
            ("::ffff:10.0.0.0/104", "10.1.2.3", true),
            ("::ffff:10.0.0.0/104", "::ffff:10.1.2.3", true),
        ]
    )
    func contains(_ network: String, _ address: String, _ expected: Bool) throws {
        #expect(try IPNetwork(network).contains(#require(IPAddress(address))) == expected)
    }

    @Test(
        "is refused with its reason",
        arguments: [
            ("", IPNetworkError.notAnAddress),
            ("example.com/8", .notAnAddress),
            ("10.0.0/8", .notAnAddress),
            ("10.0.0.0/", .badPrefixLength(maximum: 32)),
            ("10.0.0.0/33", .badPrefixLength(maximum: 32)),
            ("10.0.0.0/-1", .badPrefixLength(maximum: 32)),
            ("10.0.0.0/+8", .badPrefixLength(maximum: 32)),
            ("10.0.0.0/8/8", .badPrefixLength(maximum: 32)),
            ("::/129", .badPrefixLength(maximum: 128)),
            ("10.0.0.7/8", .bitsBeyondPrefix(meant: "10.0.0.0/8")),
            ("fe80::1/10", .bitsBeyondPrefix(meant: "fe80::/10")),
        ]
    )
    func refused(_ text: String, _ reason: IPNetworkError) {
        #expect(throws: reason) { try IPNetwork(text) }
    }

    @Test("policy denies link-local addresses unless told otherwise, and lets exceptions through")
    func policy() throws {
        let standard = NetworkPolicy.standard
        #expect(try !standard.permits(#require(IPAddress("169.254.169.254"))))
        #expect(try !standard.permits(#require(IPAddress("::ffff:169.254.169.254"))))
        #expect(try !standard.permits(#require(IPAddress("fe80::1"))))
        #expect(try standard.permits(#require(IPAddress("10.0.0.1"))))

        let policy = try NetworkPolicy(denied: [IPNetwork("10.0.0.0/8")], allowed: [IPNetwork("10.1.0.0/16")])
        #expect(try !policy.permits(#require(IPAddress("10.0.0.1"))))
        #expect(try policy.permits(#require(IPAddress("10.1.0.1"))))
        #expect(try policy.permits(#require(IPAddress("169.254.169.254"))))
    }
}
