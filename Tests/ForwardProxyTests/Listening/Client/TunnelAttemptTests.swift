import NIOCore
import NIOEmbedded
import Routing
import Testing

@testable import ForwardProxy

@Suite("The attempt to connect a tunnel's other end")
struct TunnelAttemptTests {
    private let proxy: EmbeddedProxy
    private let attempt: TunnelAttempt
    private let usage: ClientUsage
    private let request: EarlyRequest

    init() throws {
        proxy = try EmbeddedProxy(.unconnected)
        let loop = ProxyLoop(worker: proxy.worker, registry: proxy.common.sharedRegistry)
        usage = proxy.usage(of: nil)
        let authority = try Authority(parsing: "other.test:443", defaultPort: 443)
        attempt = try TunnelAttempt(to: authority, for: usage, on: loop)
        request = EarlyRequest(nil, at: proxy.clock.now, from: nil)
        proxy.clock.loop.advanceTime(by: .milliseconds(20))
    }

    @Test("One that succeeds counts as a tunnel of its client until that ends")
    func succeeds() {
        var request = request
        let channel = EmbeddedChannel(loop: proxy.clock.loop)
        guard case .success(let upstream) = attempt.ended(.success(channel), &request) else {
            Issue.record("the attempt has failed")
            return
        }
        #expect(upstream === channel)
        #expect(request.connection?.time == .milliseconds(20))
        #expect(request.connectTimes?.tcp == .milliseconds(20))
        #expect(usage.tunnels.isAt(1))
        channel.close(promise: nil)
        proxy.clock.loop.run()
        #expect(!usage.tunnels.isAt(1))
    }

    @Test("One that fails is not counted any more, and its time is known")
    func fails() {
        var request = request
        #expect(usage.tunnels.isAt(1))
        if case .success = attempt.ended(.failure(ChannelError.eof), &request) {
            Issue.record("the attempt has succeeded")
        }
        #expect(request.connection?.time == .milliseconds(20))
        #expect(request.connectTimes?.name == .milliseconds(20))
        #expect(request.connectTimes?.tcp == nil)
        #expect(!usage.tunnels.isAt(1))
    }
}
