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
        let open = try Fixture.router()
        let closed = try Fixture.router(clients: [Fixture.client("alice", password: "x")])
        let interception = try #require(open.connect("confined.example.com:443").interception)
        var served = 0
        var known: KnownOrigin?
        for _ in 0..<2_000 {
            let (target, field, host) = (Self.text(&numbers), Self.text(&numbers), Self.text(&numbers))
            for router in [open, closed] {
                let connect = router.decide(connect: target.span, proxyAuthorization: field.span)
                if case .refuse(let refusal) = connect {
                    #expect((400..<500).contains(refusal.status))
                } else {
                    served += 1
                }
            }
            let absolute = open.decide(
                absolute: target.span,
                method: "GET".utf8Span.span,
                host: nil,
                proxyAuthorization: field.span,
                account: nil,
                known: &known
            )
            if case .refuse(let refusal) = absolute {
                #expect((400..<500).contains(refusal.status))
            } else {
                served += 1
            }
            let inside = open.decide(
                inside: interception,
                method: "GET".utf8Span.span,
                target: target.span,
                host: host.span,
                account: "alice".utf8Span.span
            )
            // Nothing in the parts leads under the one path that is permitted.
            guard case .refuse(let refusal) = inside else {
                Issue.record("served \(target) for \(host)")
                continue
            }
            #expect((400..<500).contains(refusal.status))
        }
        #expect(served > 0)
    }
}
