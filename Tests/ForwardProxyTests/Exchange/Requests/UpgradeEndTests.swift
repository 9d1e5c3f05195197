import NIOCore
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Ends of upgraded connections", .serialized, .generousLimit, .timed)
struct UpgradeEndTests {
    typealias Way = UpgradedConnection.Way

    /// Far more than all buffers of two loopback connections hold.
    private let limit = 64 << 20
    private let piece = ByteBuffer(repeating: 0x61, count: 256 * 1024)

    @Test("An end passes through in order while the other direction goes on", arguments: Way.allCases, [true, false])
    func passesHalfClose(way: Way, clientFirst: Bool) async throws {
        try await UpgradedConnection.with(way) { connection in
            let (first, last) =
                clientFirst ? (connection.client, connection.server) : (connection.server, connection.client)
            try await first.send("question")
            try await first.finishSending()
            let question = try await last.rest()
            #expect(question.received == "question")
            #expect(question.end == .clean)
            for _ in 0..<3 {
                try await last.send("answer")
                #expect(try await first.bytes(6) == "answer")
            }
            try await last.finishSending()
            #expect(try await first.end() == .clean)
        }
    }

    @Test(
        "A slow reader holds the other side back, and gets everything before the end",
        arguments: [Way.interceptedToTLS, .absoluteToPlain],
        [true, false]
    )
    func deliversBeforeEnd(way: Way, clientFirst: Bool) async throws {
        try await UpgradedConnection.with(way) { connection in
            let (first, last) =
                clientFirst ? (connection.client, connection.server) : (connection.server, connection.client)
            try await last.channel.setOption(.autoRead, value: false).get()
            let flow = try await Flow.fill(first, through: connection.proxy, piece: piece, limit: limit)
            #expect(flow.isHeldBack)
            let ended: EventLoopFuture<Void> = first.channel.close(mode: .output)
            // The way back is open all the while.
            try await last.send("back")
            #expect(try await first.bytes(4) == "back")
            try await last.channel.setOption(.autoRead, value: true).get()
            try await ended.get()
            #expect(try await last.end() == .clean)
            #expect(last.inbox.total >= flow.written)
        }
    }

    @Test(
        "A side that TLS did not end is lost, and what it said before is not",
        arguments: [Way.interceptedToTLS, .absoluteToTLS]
    )
    func passesUnannouncedEnd(way: Way) async throws {
        try await UpgradedConnection.with(way) { connection in
            try await connection.client.channel.setOption(.autoRead, value: false).get()
            let flow = try await Flow.fill(
                connection.server,
                through: connection.proxy,
                piece: piece,
                limit: limit
            )
            #expect(flow.isHeldBack)
            try await connection.client.channel.setOption(.autoRead, value: true).get()
            try await flow.lastWrite.get()
            try await connection.server.endWithoutNotice()
            // For a client without TLS there is no other end than this.
            let end = try await connection.client.end()
            #expect(end == (way.isIntercepted ? .cut : .clean))
            #expect(connection.client.inbox.total >= flow.written)
        }
    }

    @Test("A client that TLS did not end is lost for the upstream too")
    func passesUnannouncedEndOfClient() async throws {
        try await UpgradedConnection.with(.interceptedToTLS) { connection in
            try await connection.client.send("last")
            try await connection.client.endWithoutNotice()
            let rest = try await connection.server.rest()
            #expect(rest.received == "last")
            #expect(rest.end == .cut)
        }
    }

    @Test("A reset passes through as one", arguments: Way.allCases, [true, false])
    func passesReset(way: Way, byClient: Bool) async throws {
        try await UpgradedConnection.with(way) { connection in
            let (first, last) =
                byClient ? (connection.client, connection.server) : (connection.server, connection.client)
            try await first.send("x")
            #expect(try await last.bytes(1) == "x")
            try await first.reset()
            #expect(try await last.end() == .cut)
            let line = try await connection.proxy.accessLogLine()
            #expect(line["outcome"] as? String == "tunnel closed")
        }
    }

    @Test("A side that takes nothing does not stay for ever", arguments: [Way.interceptedToTLS, .absoluteToPlain])
    func closesStuck(way: Way) async throws {
        try await UpgradedConnection.with(way) {
            $0.timeouts.idle = .seconds(4)
        } _: { connection in
            try await connection.client.channel.setOption(.autoRead, value: false).get()
            let flow = try await Flow.fill(connection.server, through: connection.proxy, piece: piece, limit: limit)
            #expect(flow.isHeldBack)
            try await connection.proxy.clock.expire(.seconds(4))
            let log = try await connection.proxy.accessLogText { $0.contains("tunnel closed") }
            #expect(log.contains("\"status\":101"))
        }
    }
}
