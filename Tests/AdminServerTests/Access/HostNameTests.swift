import Testing

@testable import AdminServer

@Suite("The host of a request")
struct HostNameTests {
    @Test(
        "is an address or localhost, or some other name, or none",
        arguments: [
            ("localhost", true), ("LOCALHOST:9090", true), ("127.0.0.1", true), ("127.0.0.1:9090", true),
            ("[::1]", true), ("[::1]:9090", true), ("example.com", false), ("localhost.example.com:80", false),
            ("127.0.0.1.nip.io", false), ("", nil), (":80", nil), ("a:b", nil), ("[1]", nil),
            ("127.0.0.1\0.example.com", false), ("[::1\0]", false), ("127.1", false), ("[fe80::1%1]", false),
        ] as [(String, Bool?)]
    )
    func kinds(_ authority: String, _ isAddressOrLocalhost: Bool?) {
        #expect(HostName(authority: authority)?.isAddressOrLocalhost == isAddressOrLocalhost)
    }
}
