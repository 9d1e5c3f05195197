import HTTP1Codec
import Logging
import NIOCore
import NIOEmbedded
import NIOSSL
import NIOTLS
import Settings
import Testing

@testable import ForwardProxy

@Suite("The coming about of an upstream connection")
struct UpstreamNegotiationHandlerTests {
    private enum Outcome {
        case http1
        case http2
        case failed(UpstreamFailure)
    }

    private final class Negotiation {
        let clock = EmbeddedClock()
        let channel: EmbeddedChannel
        let handler: UpstreamNegotiationHandler
        private(set) var outcomes: [Outcome] = []

        init(tls: Bool) throws {
            handler = UpstreamNegotiationHandler(
                UpstreamTerms(messageLimits: MessageLimits(), timeouts: ProxyTimeouts(), clock: clock),
                verdict: tls ? CertificateVerdict() : nil,
                turn: EventLoopTurn(loop: clock.loop)
            )
            channel = EmbeddedChannel(handler: handler, loop: clock.loop)
        }

        func ask() throws {
            let usages = ClientUsages(clock: clock, logger: Logger(label: "test"))
            handler.whenReady(countedBy: try #require(ConnectionClaim.own(usages.own))) { [unowned self] result in
                switch result {
                case .success(.http1): outcomes.append(.http1)
                case .success(.http2): outcomes.append(.http2)
                case .failure(let failure): outcomes.append(.failed(failure))
                }
            }
        }

        func activate() { channel.pipeline.fireChannelActive() }

        func shakeHands(_ negotiated: String?) {
            let event = TLSUserEvent.handshakeCompleted(negotiatedProtocol: negotiated)
            channel.pipeline.fireUserInboundEventTriggered(event)
        }

        func holds<Handler: ChannelHandler>(_ type: Handler.Type) -> Bool {
            (try? channel.pipeline.syncOperations.handler(type: type)) != nil
        }
    }

    @Test("Without TLS it carries HTTP/1.1 as soon as it is active", arguments: [true, false])
    func plain(isAskedFirst: Bool) throws {
        let negotiation = try Negotiation(tls: false)
        if isAskedFirst { try negotiation.ask() }
        #expect(negotiation.outcomes.isEmpty)
        negotiation.activate()
        if !isAskedFirst { try negotiation.ask() }
        guard case .http1? = negotiation.outcomes.first else { Issue.record("\(negotiation.outcomes)"); return }
        #expect(negotiation.outcomes.count == 1)
        #expect(negotiation.holds(UpstreamConnection.self))
        #expect(!negotiation.holds(UpstreamNegotiationHandler.self))
        negotiation.clock.loop.advanceTime(by: .seconds(11))
        #expect(negotiation.outcomes.count == 1)
    }

    @Test("With TLS it carries what was agreed on", arguments: [nil, "http/1.1", "h2"])
    func overTLS(negotiated: String?) throws {
        let negotiation = try Negotiation(tls: true)
        try negotiation.ask()
        negotiation.activate()
        #expect(negotiation.outcomes.isEmpty)
        negotiation.shakeHands(negotiated)
        #expect(negotiation.outcomes.count == 1)
        #expect(negotiation.holds(HTTP2UpstreamHandler.self) == (negotiated == "h2"))
        #expect(negotiation.holds(UpstreamConnection.self) == (negotiated != "h2"))
        switch negotiation.outcomes.first {
        case .http1: #expect(negotiated != "h2")
        case .http2: #expect(negotiated == "h2")
        case .failed, nil: Issue.record("no connection came about")
        }
    }

    @Test("A handshake that takes too long ends it")
    func timeout() throws {
        let negotiation = try Negotiation(tls: true)
        try negotiation.ask()
        negotiation.activate()
        negotiation.clock.loop.advanceTime(by: .milliseconds(9_999))
        #expect(negotiation.outcomes.isEmpty)
        negotiation.clock.loop.advanceTime(by: .milliseconds(1))
        guard case .failed(.handshakeTimeout)? = negotiation.outcomes.first else {
            Issue.record("\(negotiation.outcomes)")
            return
        }
        negotiation.shakeHands("h2")
        #expect(negotiation.outcomes.count == 1)
        #expect(!negotiation.holds(HTTP2UpstreamHandler.self))
    }

    @Test("An end within the handshake is told with its first cause")
    func endOfHandshake() throws {
        let negotiation = try Negotiation(tls: true)
        try negotiation.ask()
        negotiation.activate()
        negotiation.channel.pipeline.fireErrorCaught(NIOSSLError.uncleanShutdown)
        #expect(negotiation.outcomes.isEmpty)
        negotiation.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        guard case .failed(.handshake)? = negotiation.outcomes.first else {
            Issue.record("\(negotiation.outcomes)")
            return
        }
        negotiation.channel.pipeline.fireChannelInactive()
        #expect(negotiation.outcomes.count == 1)
    }

    @Test("A question that comes too late is answered with the failure", arguments: [true, false])
    func lateAsking(isReady: Bool) throws {
        let negotiation = try Negotiation(tls: !isReady)
        negotiation.activate()
        if isReady {
            // An answer to nothing.
            try negotiation.channel.writeInbound(ByteBuffer(string: "HTTP/1.1 200 OK\r\n\r\n"))
        } else {
            negotiation.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        }
        try negotiation.ask()
        switch negotiation.outcomes.first {
        case .failed(.closed): #expect(isReady)
        case .failed(.handshake): #expect(!isReady)
        default: Issue.record("\(negotiation.outcomes)")
        }
    }
}
