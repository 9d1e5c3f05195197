import NIOCore
import NIOEmbedded
import NIOTLS
import Testing

@testable import ForwardProxy

@Suite("A connection that is made to see the server's certificates")
struct HandshakeProbeHandlerTests {
    private struct Failed: Error, CustomStringConvertible {
        var description: String { "broken" }
    }

    /// The ways in which a handshake is over.
    enum End: CaseIterable {
        case completed
        case failed
        case closed
        case overdue

        /// The failure where no certificate was seen.
        fileprivate var failure: UpstreamFailure {
            switch self {
            case .completed: .closed
            case .failed: .handshake("broken")
            case .closed: .handshake("the server closed the connection during the handshake")
            case .overdue: .handshakeTimeout
            }
        }
    }

    /// The state of the answer about the certificates.
    private enum Answer: Equatable {
        case pending
        case presented([[UInt8]])
        case failed(Problem)

        init(_ result: Result<[[UInt8]], any Error>) {
            switch result {
            case .success(let chain): self = .presented(chain)
            case .failure(let failure as UpstreamFailure): self = .failed(failure.problem(authority: "api.test"))
            case .failure(let error):
                self = .pending
                Issue.record(error)
            }
        }

        init(_ failure: UpstreamFailure) {
            self.init(.failure(failure))
        }
    }

    private final class Probe {
        static let timeout = TimeAmount.seconds(9)

        let clock = EmbeddedClock()
        let verdict = CertificateVerdict()
        let channel: EmbeddedChannel
        private let handler: HandshakeProbeHandler
        private(set) var answers: [Answer] = []

        init() throws {
            handler = HandshakeProbeHandler(verdict: verdict)
            channel = EmbeddedChannel(handler: handler, loop: clock.loop)
            try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        }

        func ask() {
            let index = answers.count
            answers.append(.pending)
            let promise = clock.loop.makePromise(of: [[UInt8]].self)
            promise.futureResult.assumeIsolated().whenComplete { [unowned self] in answers[index] = Answer($0) }
            handler.report(to: promise, timeout: Self.timeout, clock: clock)
        }

        func end(_ end: End) {
            switch end {
            case .completed:
                let event = TLSUserEvent.handshakeCompleted(negotiatedProtocol: nil)
                channel.pipeline.fireUserInboundEventTriggered(event)
            case .failed: channel.pipeline.fireErrorCaught(Failed())
            case .closed: channel.pipeline.fireChannelInactive()
            case .overdue: clock.loop.advanceTime(by: Self.timeout)
            }
        }
    }

    private static let chain: [[UInt8]] = [[1, 2], [3]]

    @Test("The certificates are told however the handshake ends, and the connection is closed", arguments: End.allCases)
    func presents(end: End) throws {
        let probe = try Probe()
        probe.ask()
        probe.verdict.presentedDER = Self.chain
        #expect(probe.answers == [.pending])
        #expect(probe.channel.isActive)
        probe.end(end)
        #expect(probe.answers == [.presented(Self.chain)])
        #expect(!probe.channel.isActive)
    }

    @Test("Where none were seen it is told why", arguments: End.allCases)
    func fails(end: End) throws {
        let probe = try Probe()
        probe.ask()
        probe.end(end)
        #expect(probe.answers == [Answer(end.failure)])
        #expect(!probe.channel.isActive)
    }

    @Test(
        "What was over before anybody asked is told then, and the connection does not wait for that",
        arguments: [End.completed, .failed, .closed],
        [true, false]
    )
    func asksLate(end: End, isPresented: Bool) throws {
        let probe = try Probe()
        if isPresented { probe.verdict.presentedDER = Self.chain }
        probe.end(end)
        #expect(!probe.channel.isActive)
        probe.ask()
        #expect(probe.answers == [isPresented ? .presented(Self.chain) : Answer(end.failure)])
    }

    @Test("The first end is told, whatever comes behind it", arguments: End.allCases, End.allCases)
    func endsAgain(first: End, second: End) throws {
        let probe = try Probe()
        probe.ask()
        probe.end(first)
        probe.verdict.presentedDER = Self.chain
        probe.end(second)
        #expect(probe.answers == [Answer(first.failure)])
    }

    @Test("One is told, and no other", arguments: [true, false])
    func asksTwice(isOver: Bool) throws {
        let probe = try Probe()
        probe.verdict.presentedDER = Self.chain
        probe.ask()
        if isOver { probe.end(.completed) }
        probe.ask()
        if !isOver { probe.end(.completed) }
        #expect(probe.answers == [.presented(Self.chain), Answer(UpstreamFailure.closed)])
    }

    @Test("The time for it begins when it is asked for, and until its end the handshake is awaited")
    func waits() throws {
        let probe = try Probe()
        probe.clock.loop.advanceTime(by: Probe.timeout)
        probe.ask()
        probe.clock.loop.advanceTime(by: Probe.timeout - .nanoseconds(1))
        probe.channel.pipeline.fireUserInboundEventTriggered(ChannelEvent.inputClosed)
        #expect(probe.answers == [.pending])
        #expect(probe.channel.isActive)
        probe.clock.loop.advanceTime(by: .nanoseconds(1))
        #expect(probe.answers == [Answer(End.overdue.failure)])
    }
}
