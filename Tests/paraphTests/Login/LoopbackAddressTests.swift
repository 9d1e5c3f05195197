import Credentials
import Testing

@testable import paraph

@Suite("The address that a callback is listened for at")
struct LoopbackAddressTests {
    @Test("Without a callback of its own, on any free port of loopback")
    func ephemeral() throws {
        let address = try #require(LoopbackAddress(.loopback))
        #expect(address.host == "127.0.0.1")
        #expect(address.port == 0)
        #expect(address.callback(port: 4_321) == "http://127.0.0.1:4321/callback")
        #expect(address.path == "/callback")
    }

    @Test(
        "At a registered address on loopback",
        arguments: [
            ("http://127.0.0.1:8000/cb", "127.0.0.1", 8_000, "/cb"),
            ("http://localhost:8000", "127.0.0.1", 8_000, "/"),
            ("http://LOCALHOST:8000/a/b?c=d", "127.0.0.1", 8_000, "/a/b"),
            ("http://[::1]:9000/cb", "::1", 9_000, "/cb"),
        ]
    )
    func registered(callback: String, host: String, port: Int, path: String) throws {
        let address = try #require(LoopbackAddress(.address(callback)))
        #expect(address.host == host)
        #expect(address.port == port)
        #expect(address.path == path)
        #expect(address.callback(port: 1) == callback)
    }

    @Test(
        "Nowhere, where it is elsewhere, encrypted, or without a port",
        arguments: [
            "https://127.0.0.1:8000/cb", "http://127.0.0.1/cb", "https://app.example/cb", "http://app.example:8000/",
            "http://127.0.0.1.example:8000/", "nonsense",
        ]
    )
    func elsewhere(callback: String) {
        #expect(LoopbackAddress(.address(callback)) == nil)
        #expect(LoopbackAddress(.outOfBand) == nil)
    }
}
