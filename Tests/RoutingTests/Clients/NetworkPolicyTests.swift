import Bytes
import Routing
import Testing

@Suite("Denied networks, however an address is written")
struct NetworkPolicyTests {
    @Test(
        "An address that leads to a denied one is denied",
        arguments: [
            "169.254.169.254", "::ffff:169.254.169.254", "::169.254.169.254",
            // RFC 6052's prefix, and RFC 8215's with lengths of 48, 56, 64 and 96.
            "64:ff9b::169.254.169.254", "64:ff9b:1:a9fe:a9:fe00::", "64:ff9b:1:12a9:fe:a9fe::",
            "64:ff9b:1:1234:a9:fea9:fe00:0", "64:ff9b:1:1234::169.254.169.254",
            // 6to4
            "2002:a9fe:a9fe::1",
            // Teredo, with the address inverted.
            "2001::5601:5601", "2001:0:808:808:0:ffff:5601:5601",
            // The systems' reading of no address at all.
            "0.0.0.0", "::", "::ffff:0.0.0.0", "64:ff9b::", "127.0.0.1", "::1",
        ]
    )
    func denies(_ text: String) throws {
        let policy = NetworkPolicy(denied: try ["169.254.0.0/16", "127.0.0.0/8", "::1"].map { try IPNetwork($0) })
        #expect(try !policy.permits(#require(IPAddress(text))))
    }

    @Test(
        "Others that look like it are not",
        arguments: [
            "169.253.169.254", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "64:ff9b:1::10.0.0.1", "64:ff9b:1:a00:0:100::",
            "64:ff9b:2:a9fe:a9:fe00::", "2001:db8::169.254.169.254", "2001:db8:a9fe:a9fe::1", "2002:a00:1::1",
            "2001::f5ff:fffe", "2001:1::5601:5601",
        ]
    )
    func permits(_ text: String) throws {
        let policy = NetworkPolicy(denied: try ["169.254.0.0/16", "127.0.0.0/8", "::1"].map { try IPNetwork($0) })
        #expect(try policy.permits(#require(IPAddress(text))))
    }

    @Test("An exception is one in every way of writing, or in the one that it was made for")
    func exceptions() throws {
        let denied = [try IPNetwork("10.0.0.0/8")]
        let plain = NetworkPolicy(denied: denied, allowed: [try IPNetwork("10.1.0.0/16")])
        #expect(try plain.permits(#require(IPAddress("64:ff9b::10.1.0.1"))))
        #expect(try !plain.permits(#require(IPAddress("64:ff9b::10.2.0.1"))))
        let translated = NetworkPolicy(denied: denied, allowed: [try IPNetwork("64:ff9b::a00:0/104")])
        #expect(try translated.permits(#require(IPAddress("64:ff9b::10.2.0.1"))))
        #expect(try !translated.permits(#require(IPAddress("10.2.0.1"))))
    }

    @Test(
        "What only this machine or its network has a use for is private, however it is written",
        arguments: [
            "127.0.0.1", "127.9.9.9", "::1", "::ffff:127.0.0.1", "64:ff9b::127.0.0.1", "2002:7f00:1::", "0.0.0.0",
            "0.1.2.3",
            "::", "10.0.0.1", "::ffff:10.0.0.1", "64:ff9b::10.0.0.1", "2002:a00:1::1", "172.16.0.1", "172.31.255.255",
            "192.168.1.1", "192.0.0.1", "100.64.0.1", "169.254.1.1", "fe80::1", "fec0::1", "fc00::1", "fdff::1",
            "2001:0:808:808::80ff:fffe", "2001::f7f7:f7f7",
        ]
    )
    func privateNetworks(_ text: String) throws {
        let address = try #require(IPAddress(text))
        let open = NetworkPolicy(denied: [])
        #expect(open.judge(address) == .permitted)
        #expect(open.withoutPrivateNetworks.judge(address) == .isPrivate)
        let allowing = NetworkPolicy(denied: [], allowed: [try IPNetwork("0.0.0.0/0"), try IPNetwork("::/0")])
        #expect(allowing.withoutPrivateNetworks.judge(address) == .permitted)
    }

    @Test(
        "Every other address is public",
        arguments: [
            "172.32.0.1", "172.15.0.1", "192.169.0.1", "100.128.0.1", "8.8.8.8", "2001:db8::1", "64:ff9b::8.8.8.8",
            "2001:1::80ff:fffe",
        ]
    )
    func publicNetworks(_ text: String) throws {
        let policy = NetworkPolicy(denied: []).withoutPrivateNetworks
        #expect(try policy.judge(#require(IPAddress(text))) == .permitted)
    }

    @Test(
        "Metadata services are denied by default",
        arguments: [
            "169.254.169.254", "fd00:ec2::254", "100.100.100.200", "::ffff:100.100.100.200", "168.63.129.16",
            "64:ff9b::168.63.129.16", "fd20:ce::254", "fd00:c1::a9fe:a9fe", "192.0.0.192",
        ]
    )
    func metadata(_ text: String) throws {
        let address = try #require(IPAddress(text))
        #expect(NetworkPolicy.standard.judge(address) == .denied)
        #expect(NetworkPolicy.standard.withoutPrivateNetworks.judge(address) == .denied)
    }
}
