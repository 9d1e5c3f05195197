import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The offer to switch protocols")
struct UpgradeOfferTests {
    @Test(
        "A switch is to what was offered, and to nothing else",
        arguments: [
            ("websocket", "websocket", true), ("websocket", "WebSocket", true), ("websocket, x/1", "x/1", true),
            ("websocket, x/1", "websocket, x/1", true), ("websocket", "websocket, evil", false),
            ("websocket", "evil, websocket", false), ("websocket", "evil", false), ("websocket", "", false),
            ("websocket", ",", false), ("x/1", "x", false),
        ]
    )
    func isTaken(offer: String, answer: String, expected: Bool) throws {
        let head = try responseHead("HTTP/1.1 101 Switching Protocols\nUpgrade: \(answer)\nConnection: Upgrade\n\n")
        #expect(UpgradeOffer.isTaken(ByteBuffer(string: offer), by: head) == expected)
    }

    @Test(
        "What this proxy would have to read itself is not offered, nor anything behind a body or by HTTP/1.0",
        arguments: [
            ("GET / HTTP/1.1", "Upgrade: websocket", "websocket"),
            ("GET / HTTP/1.1", "Upgrade: h2c, websocket, HTTP/2.0, TLS/1.0", "websocket"),
            ("GET / HTTP/1.1", "Upgrade: H2C", nil), ("GET / HTTP/1.0", "Upgrade: websocket", nil),
            ("POST / HTTP/1.1", "Content-Length: 1\nUpgrade: websocket", nil),
            ("POST / HTTP/1.1", "Content-Length: 0\nUpgrade: websocket", "websocket"),
        ] as [(String, String, String?)]
    )
    func protocols(line: String, fields: String, expected: String?) throws {
        let head = try requestHead("\(line)\nHost: a\nConnection: Upgrade\n\(fields)\n\n")
        #expect(UpgradeOffer.protocols(in: head).map { String(buffer: $0) } == expected)
    }
}
