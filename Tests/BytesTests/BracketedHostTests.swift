import Bytes
import Testing

@Suite("A host before a port")
struct BracketedHostTests {
    @Test(
        "has brackets where it is an IPv6 address",
        arguments: [("api.example.com", "api.example.com"), ("192.0.2.1", "192.0.2.1"), ("::1", "[::1]"), ("", "")]
    )
    func brackets(host: String, text: String) {
        #expect(bracketed(host: host) == text)
    }
}
