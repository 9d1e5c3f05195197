import HTTP1Codec
import NIOCore
import Routing
import TestSupport
import Testing

@Suite("Any bytes")
struct AnyBytesTests {
    private static let parts = [
        "api.example.com", "confined.example.com", "http://", "https://", ":443", ":80", ":", "[", "]", "[::1]", "::",
        "%", "%2", "%2e",
        "..", "/", "\\", "?", "#", "@", ".", "*", "1", "255", "0x", " ", "Basic ", "YWxpY2U6eA==", "=", "====", "\u{0}",
        "é",
    ]

    private static func text(_ numbers: inout SeededGenerator) -> [UInt8] {
        var bytes: [UInt8] = []
        for _ in 0..<Int.random(in: 0...6, using: &numbers) {
            if Int.random(in: 0..<8, using: &numbers) == 0 {
                bytes.append(UInt8.random(in: .min ... .max, using: &numbers))
            } else {
                bytes += Array((parts.randomElement(using: &numbers) ?? "").utf8)
            }
        }
        return bytes
    }

    @Test(
        "get an answer: served, or refused with a status of the client's making",
        arguments: [1, 2, 3, 4] as [UInt64]
    )
    func answered(_ seed: UInt64) throws {
        var numbers = SeededGenerator(seed: seed)
        let open = try RouterFixture.router()
        let closed = try RouterFixture.router(clients: [RouterFixture.client("alice", password: "x")])
        let interception = try #require(open.connect("confined.example.com:443").interception)
        var served = 0
        var known: KnownOrigin?
        for _ in 0..<2_000 {
            let (target, field, host) = (Self.text(&numbers), Self.text(&numbers), Self.text(&numbers))
            for router in [open, closed] {
                let connect = router.result(
                    connect: ByteBuffer(bytes: target),
                    proxyAuthorization: ByteBuffer(bytes: field)
                )
                if case .failure(let refusal) = connect {
                    #expect((400..<500).contains(refusal.status))
                } else {
                    served += 1
                }
            }
            // What no head can have never comes so far.
            guard
                let whole = try? RequestHead(
                    method: "GET".utf8,
                    target: target,
                    fields: [(name: "Proxy-Authorization", value: field)]
                ),
                let named = try? RequestHead(
                    method: "GET".utf8,
                    target: target,
                    fields: [(name: "Host", value: host), (name: "Paraph-Account", value: Array("alice".utf8))]
                )
            else { continue }
            let absolute = open.result(absolute: whole, known: &known)
            if case .failure(let refusal) = absolute {
                #expect((400..<500).contains(refusal.status))
            } else {
                served += 1
            }
            let inside = open.result(inside: interception, named)
            // Nothing in the parts leads under the one path that is permitted.
            guard case .failure(let refusal) = inside else {
                Issue.record("served \(target) for \(host)")
                continue
            }
            #expect((400..<500).contains(refusal.status))
        }
        #expect(served > 0)
    }
}
