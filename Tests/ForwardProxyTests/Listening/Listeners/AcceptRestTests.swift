import Glibc
import NIOCore
import NIOPosix
import Synchronization
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("Listeners without a file for another connection", .generousLimit, .timed)
struct AcceptRestTests {
    private let clock = ManualClock()
    private let rests = Rests()

    private final class Rests: Sendable {
        private let count = Mutex(0)

        var value: Int { count.withLock { $0 } }

        func increment() { count.withLock { $0 += 1 } }
    }

    private func listener() async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelInitializer { [clock, rests] channel in
                channel.eventLoop.makeCompletedFuture {
                    let rest = AcceptRest(clock: clock) { _ in rests.increment() }
                    try channel.pipeline.syncOperations.addHandler(rest)
                }
            }
            .bind(host: "127.0.0.1", port: 0)
            .get()
    }

    private func isAccepting(_ channel: any Channel) async throws -> Bool {
        try await channel.getOption(.autoRead).get()
    }

    private func fail(_ channel: any Channel, _ code: CInt) async throws {
        try await channel.eventLoop.submit {
            channel.pipeline.fireErrorCaught(IOError(errnoCode: code, reason: "accept"))
        }.get()
    }

    @Test("rest for a while, and say so", arguments: [EMFILE, ENFILE, ENOBUFS, ENOMEM])
    func rest(_ code: CInt) async throws {
        let channel = try await listener()
        for _ in 0..<3 { try await fail(channel, code) }
        #expect(try await !isAccepting(channel))
        #expect(rests.value == 1)
        await clock.advance(by: .milliseconds(99))
        #expect(try await !isAccepting(channel))
        await clock.advance(by: .milliseconds(1))
        #expect(try await isAccepting(channel))
        try await fail(channel, code)
        #expect(rests.value == 2)
        await clock.advance(by: .seconds(1))
        try await channel.close()
        await clock.end()
    }

    @Test("do not rest for a client that has gone before it was accepted")
    func goes() async throws {
        let channel = try await listener()
        try await fail(channel, ECONNABORTED)
        #expect(try await isAccepting(channel))
        #expect(rests.value == 0)
        try await channel.close()
    }
}
