import Bytes
import HTTP1Codec
import HTTP2Codec
import Logging
import NIOCore
import NIOEmbedded
import Settings
import Testing

@testable import ForwardProxy

@Suite("The choice of a connection that speaks HTTP/2")
struct SharedConnectionsTests {
    /// A connection, with the server at its other end.
    private final class Connection {
        /// The bytes of a body that are more than a quarter of the connection's window.
        private static let largeBody = 20_000

        let handler: HTTP2UpstreamHandler
        private let channel: EmbeddedChannel
        private var server: HTTP2Connection

        /// - Parameters:
        ///   - client: The client that it is counted for.
        ///   - places: The number of requests that the server takes at a time.
        init(of client: ClientUsage, _ clock: EmbeddedClock, places: Int) throws {
            var settings = HTTP2Settings()
            settings.maxConcurrentStreams = places
            settings.connectionWindow = 65_535
            let limits = MessageLimits()
            server = HTTP2Connection(
                role: .server,
                settings: settings,
                limits: HTTP2Limits(for: limits),
                messageLimits: limits
            )
            handler = HTTP2UpstreamHandler(
                UpstreamTerms(messageLimits: limits, timeouts: ProxyTimeouts(), clock: clock),
                verdict: nil,
                turn: EventLoopTurn(loop: clock.loop),
                claim: try #require(ConnectionClaim.upstream(for: client, limit: nil))
            )
            channel = EmbeddedChannel(handler: handler, loop: clock.loop)
        }

        /// Hands over what either side has to say.
        func exchange() throws {
            channel.embeddedEventLoop.run()
            while let bytes = try channel.readOutbound(as: ByteBuffer.self) { server.receive(bytes) }
            while try server.next() != nil {}
            let bytes = server.takeOutput()
            if bytes.readableBytes > 0 { try channel.writeInbound(bytes) }
        }

        /// Leases a place, and sends a body that the server does not read.
        func upload(of client: ClientUsage) throws {
            let stream = handler.leasePlace(for: client, sendsBody: true)
            let request = OutgoingRequest(
                target: nil,
                scheme: .https,
                host: nil,
                dropped: [],
                tokenField: nil,
                acceptsTrailers: false,
                upgrade: nil,
                body: nil,
                isComplete: false
            )
            let head = try requestHead("POST / HTTP/1.1\nHost: api.test\nTransfer-Encoding: chunked\n\n")
            stream.lease(to: SilentLessee())
            stream.write(head, as: request, scratch: HeadScratch())
            stream.writeBody(ByteBuffer(repeating: 0x61, count: Self.largeBody))
            handler.flushNow()
        }
    }

    /// Waits for a response that does not come.
    private final class SilentLessee: UpstreamLessee {
        var takesResponseBytes: Bool { true }

        func upstreamResponseHead(_ head: ResponseHead) {}
        func upstreamResponseBody(_ bytes: ByteBuffer) {}
        func upstreamResponseEnd(trailers: FieldSection?, reusable: Bool) {}
        func upstreamDelivered() {}
        func upstreamReadComplete() {}
        func upstreamWritabilityChanged(isWritable: Bool) {}
        func upstreamClosed(_ reason: UpstreamFailure) {}
    }

    private let clock = EmbeddedClock()
    private let usages: ClientUsages
    private let own: ClientUsage
    private let one: ClientUsage
    private let other: ClientUsage

    init() {
        usages = ClientUsages(clock: clock, logger: Logger(label: "test"))
        own = usages.own
        one = usages.usage(of: .client("one"))
        other = usages.usage(of: .client("other"))
    }

    /// A connection whose server has said how many requests it takes.
    private func connection(of client: ClientUsage, places: Int = 4) throws -> Connection {
        let connection = try Connection(of: client, clock, places: places)
        try connection.exchange()
        return connection
    }

    private func shared(_ connections: Connection...) -> SharedConnections {
        var shared = SharedConnections(own: own)
        for connection in connections { shared.append(connection.handler) }
        return shared
    }

    @Test("Before its server has said how many requests it takes, a connection has one place")
    func awaitsSettings() throws {
        let connection = try Connection(of: one, clock, places: 4)
        let shared = shared(connection)
        #expect(shared.isAwaitingSettings)
        #expect(shared.leasePlace(for: one, sendsBody: false) != nil)
        #expect(shared.leasePlace(for: one, sendsBody: false) == nil)
        try connection.exchange()
        #expect(!shared.isAwaitingSettings)
        for _ in 0..<3 { #expect(shared.leasePlace(for: one, sendsBody: false) != nil) }
        #expect(shared.leasePlace(for: one, sendsBody: false) == nil)
    }

    @Test("A client's own connection comes first; an idle one that it then takes is its own too")
    func ownFirst() throws {
        let first = try connection(of: one, places: 2)
        let second = try connection(of: other, places: 2)
        let shared = shared(first, second)
        #expect(shared.leasePlace(for: other, sendsBody: false) != nil)
        #expect((first.handler.freePlaces, second.handler.freePlaces) == (2, 1))
        #expect(shared.leasePlace(for: other, sendsBody: false) != nil)
        #expect((first.handler.freePlaces, second.handler.freePlaces) == (2, 0))
        #expect(first.handler.claim.usage === one)
        #expect(shared.leasePlace(for: other, sendsBody: false) != nil)
        #expect((first.handler.freePlaces, second.handler.freePlaces) == (1, 0))
        #expect(first.handler.claim.usage === other)
    }

    @Test("What the proxy asks for itself goes to any connection, which stays another's")
    func ownRequests() throws {
        let connection = try connection(of: one)
        #expect(shared(connection).leasePlace(for: own, sendsBody: true) != nil)
        #expect(connection.handler.freePlaces == 3)
        #expect(connection.handler.claim.usage === one)
    }

    @Test("Bodies that come together go to as many connections as there are, and to none whose window is held")
    func bodies() throws {
        let first = try connection(of: one)
        let second = try connection(of: one)
        let shared = shared(first, second)
        for expected in [(3, 4), (3, 3), (2, 3), (2, 2)] {
            #expect(shared.leasePlace(for: one, sendsBody: true) != nil)
            #expect((first.handler.freePlaces, second.handler.freePlaces) == expected)
        }
        try first.upload(of: one)
        #expect(!shared.lacksWindowsAlone)
        #expect(shared.leasePlace(for: own, sendsBody: true) != nil)
        #expect((first.handler.freePlaces, second.handler.freePlaces) == (1, 1))
        try second.upload(of: one)
        #expect(shared.lacksWindowsAlone)
        #expect(shared.leasePlace(for: one, sendsBody: true) == nil)
    }

    @Test("Where windows alone are held, a request without a body has a place, and one with a body as a last resort")
    func windows() throws {
        let connection = try connection(of: one)
        let shared = shared(connection)
        #expect(!shared.lacksWindowsAlone)
        try connection.upload(of: one)
        #expect(shared.lacksWindowsAlone)
        #expect(shared.leasePlace(for: one, sendsBody: true) == nil)
        #expect(shared.leasePlace(for: one, sendsBody: false) != nil)
        #expect(shared.leaseLastResort(for: one, sendsBody: true) != nil)
        #expect(shared.leaseLastResort(for: other, sendsBody: true) != nil)
        #expect(!shared.lacksWindowsAlone && connection.handler.freePlaces == 0)
        #expect(shared.leaseLastResort(for: one, sendsBody: false) == nil)
    }

    @Test("A client whose bodies hold the window of its connection does not fill another's with them")
    func confined() throws {
        let first = try connection(of: one)
        let second = try connection(of: other)
        let shared = shared(first, second)
        #expect(shared.leasePlace(for: other, sendsBody: false) != nil)
        try first.upload(of: one)
        #expect(shared.leasePlace(for: one, sendsBody: true) == nil)
        #expect(shared.leasePlace(for: one, sendsBody: false) != nil)
        #expect(shared.leasePlace(for: other, sendsBody: true) != nil)
        #expect((first.handler.freePlaces, second.handler.freePlaces) == (2, 2))
        #expect(shared.leaseLastResort(for: one, sendsBody: true) != nil)
        #expect((first.handler.freePlaces, second.handler.freePlaces) == (1, 2))
    }

    @Test("The connection that has been idle for longest is told, of everybody's or of one client's")
    func longestIdle() throws {
        let first = try connection(of: one)
        clock.loop.advanceTime(by: .seconds(1))
        let second = try connection(of: other)
        clock.loop.advanceTime(by: .seconds(1))
        let third = try connection(of: other)
        var shared = shared(third, first, second)
        #expect(shared.longestIdle(of: nil) === first.handler)
        #expect(shared.longestIdle(of: other) === second.handler)
        #expect(shared.longestIdle(of: own) == nil)
        let stream = try #require(shared.leasePlace(for: one, sendsBody: false))
        #expect(shared.longestIdle(of: nil) === second.handler)
        clock.loop.advanceTime(by: .seconds(1))
        stream.close(.cancelled)
        #expect(shared.longestIdle(of: one) === first.handler)
        shared.remove(second.handler)
        #expect(shared.longestIdle(of: nil) === third.handler)
        #expect(shared.takeAll().count == 2)
        #expect(shared.isEmpty)
    }

    @Test("A connection that others have filled counts no more among those that a client uses")
    func uncountsFull() throws {
        let connection = try connection(of: one, places: 3)
        connection.handler.limitConnections(perClient: 1)
        let shared = shared(connection)
        #expect(shared.leasePlace(for: one, sendsBody: false) != nil)
        #expect(shared.leasePlace(for: other, sendsBody: false) != nil)
        #expect(!shared.uncountFull(for: one))
        #expect(shared.leasePlace(for: other, sendsBody: false) != nil)
        #expect(one.upstreamConnections.isAt(1))
        #expect(!shared.uncountFull(for: other))
        #expect(shared.uncountFull(for: one))
        #expect(!one.upstreamConnections.isAt(1))
        #expect(!shared.uncountFull(for: one))
    }

    @Test("A connection is of the client whose request is the first on it, whomever it was made for")
    func madeForAnother() throws {
        let connection = try connection(of: one, places: 1)
        let shared = shared()
        #expect(shared.leasePlace(on: connection.handler, for: other, sendsBody: false) != nil)
        #expect(connection.handler.claim.usage === other)
        #expect((one.connections.held, other.connections.held) == (0, 1))
        #expect(shared.leasePlace(on: connection.handler, for: one, sendsBody: false) == nil)
    }
}
