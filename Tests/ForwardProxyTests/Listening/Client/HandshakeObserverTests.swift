import Glibc
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import PrometheusMetrics
import Routing
import Testing

@testable import ForwardProxy

@Suite("A client's TLS handshake, as it is seen")
struct HandshakeObserverTests {
    private struct Failed: Error {}

    private static let isProbablyAboutTrust = "it probably does not trust the local CA"

    private let clock = EmbeddedClock()
    private let lines = LogLines()
    private let shutdown = LoopShutdown()

    private var lineCount: Int { lines.text.split(separator: "\n").count }

    /// - Parameter host: The intercepted one; nil: the client speaks to the proxy itself.
    private func watch(_ host: String? = "api.test") throws -> EmbeddedChannel {
        let reports = HandshakeReports(
            clock: clock,
            registry: MetricsRegistry(),
            logger: lines.logger,
            shutdown: shutdown
        )
        var authority: Authority?
        if let host { authority = try Authority(parsing: host, defaultPort: 443) }
        let channel = EmbeddedChannel(loop: clock.loop)
        try channel.pipeline.syncOperations.addHandler(HandshakeObserver(reports: reports, authority: authority))
        return channel
    }

    private func isSeen(_ channel: EmbeddedChannel) -> Bool {
        (try? channel.pipeline.syncOperations.handler(type: HandshakeObserver.self)) != nil
    }

    private func complete(_ channel: EmbeddedChannel) {
        channel.pipeline.fireUserInboundEventTriggered(TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil))
    }

    private func close(_ channel: EmbeddedChannel) {
        channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
    }

    @Test("A client that closes right after it is told of, once")
    func closesAtOnce() throws {
        let channel = try watch()
        complete(channel)
        #expect(lineCount == 0)
        clock.loop.advanceTime(by: .milliseconds(999))
        close(channel)
        #expect(lines.text.contains(Self.isProbablyAboutTrust))
        close(channel)
        #expect(lineCount == 1)
    }

    @Test("A client that resets the connection then is told of, too")
    func resetsAtOnce() throws {
        let channel = try watch()
        complete(channel)
        channel.pipeline.fireErrorCaught(IOError(errnoCode: ECONNRESET, reason: "read"))
        close(channel)
        #expect(lines.text.contains(Self.isProbablyAboutTrust))
        #expect(lineCount == 1)
    }

    @Test("One that closes a second later is not")
    func closesLater() throws {
        let channel = try watch()
        complete(channel)
        clock.loop.advanceTime(by: .seconds(1))
        close(channel)
        #expect(lineCount == 0)
    }

    @Test("A client that speaks to the proxy itself is not: it may have looked whether that lives")
    func closesOnProxy() throws {
        let channel = try watch(nil)
        complete(channel)
        close(channel)
        #expect(lineCount == 0)
    }

    @Test("A client that closes once the proxy ends is not, for that ends its connection")
    func closesAtShutdown() throws {
        let channel = try watch()
        complete(channel)
        shutdown.begin()
        close(channel)
        #expect(lineCount == 0)
    }

    @Test("It stops watching with the first bytes that come through TLS")
    func reads() throws {
        let channel = try watch()
        complete(channel)
        #expect(isSeen(channel))
        let bytes = ByteBuffer(string: "GET")
        try channel.writeInbound(bytes)
        #expect(!isSeen(channel))
        let passedOn = try channel.readInbound(as: ByteBuffer.self)
        #expect(passedOn == bytes)
        close(channel)
        #expect(lineCount == 0)
    }

    @Test("One that fails is told of, once", arguments: ["api.test", nil])
    func fails(host: String?) throws {
        let channel = try watch(host)
        channel.pipeline.fireErrorCaught(Failed())
        #expect(lines.text.contains("the TLS handshake with a client failed"))
        channel.pipeline.fireErrorCaught(Failed())
        close(channel)
        #expect(lineCount == 1)
    }

    @Test("The end of input before it is over is left to TLS to tell, and an end without TLS's own is no failure")
    func ends() throws {
        let channel = try watch()
        close(channel)
        channel.pipeline.fireErrorCaught(NIOSSLError.uncleanShutdown)
        #expect(lineCount == 0)
    }
}
