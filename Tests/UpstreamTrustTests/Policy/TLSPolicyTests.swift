import FoundationEssentials
import Routing
import Testing
import UpstreamTrust

@Suite struct TLSPolicyTests {
    static let rows: [(authority: String, mode: PinningMode?)] = [
        ("api.example.com:443", .publicKey), ("api.example.com:8443", .certificate), ("a.example.com:443", nil),
        ("b.example.com:443", .certificate), ("a.b.example.com:443", .publicKey), ("example.org:443", .publicKey),
        ("192.0.2.1:443", .certificate), ("[2001:db8::1]:9443", .certificate), ("[2001:db8::1]:443", .publicKey),
    ]

    private func policy(_ mode: PinningMode) throws -> PinningPolicy {
        PinningPolicy(mode: mode, pins: [try Pin(validating: "sha256/AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=")])
    }

    @Test("A server is pinned by the entry for its name, else for its wildcard, else for all servers", arguments: rows)
    func aServerIsPinnedByItsNameElseItsWildcardElseTheEntryForAll(_ authority: String, _ mode: PinningMode?) throws {
        let key = try policy(.publicKey)
        let certificate = try policy(.certificate)
        let entries = [
            HostPinning(policy: key),
            HostPinning(hosts: [try HostPattern("*.example.com"), try HostPattern("192.0.2.1")], policy: certificate),
            HostPinning(hosts: [try HostPattern("a.example.com")], policy: nil),
            HostPinning(hosts: [try HostPattern("api.example.com")], policy: key),
            HostPinning(
                hosts: [try HostPattern("api.example.com:8443"), try HostPattern("[2001:db8::1]:9443")],
                policy: certificate
            ),
        ]
        let server = try Authority(parsing: authority, defaultPort: nil)
        for order in [entries, entries.reversed()] {
            #expect(TLSPolicy(pinning: order).pinning(for: server)?.mode == mode)
        }
    }

    @Test("A server that none of the entries is for is refused, since it has no pins")
    func aServerThatNoEntryIsForIsPinnedToNothing() throws {
        let server = try Authority(parsing: "forgotten.example.com", defaultPort: 443)
        let entries = [HostPinning(hosts: [try HostPattern("api.example.com")], policy: nil)]
        let pinning = try #require(TLSPolicy(pinning: entries).pinning(for: server))
        #expect(pinning.pins.isEmpty)
        #expect(pinning.action(at: .distantFuture) == .refuse)
        #expect(TLSPolicy().pinning(for: server) == nil)
    }
}
