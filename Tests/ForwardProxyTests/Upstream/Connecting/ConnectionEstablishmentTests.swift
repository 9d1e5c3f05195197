import Glibc
import HTTP1Codec
import NIOCore
import NIOPosix
import Routing
import Settings
import Synchronization
import TestSupport
import Testing

@testable import ForwardProxy

/// Real sockets on the addresses of loopback, under a name that has them all.
@Suite("Connecting to a name that has several addresses", .generousLimit, .timed)
struct ConnectionEstablishmentTests {
    /// The addresses that a name resolves to, changed by the test.
    private final class Names: Sendable {
        private let addresses: Mutex<[SocketAddress]>
        private let asked = Mutex(0)

        init(_ addresses: [SocketAddress]) {
            self.addresses = Mutex(addresses)
        }

        var count: Int { asked.withLock { $0 } }

        func set(_ new: [SocketAddress]) { addresses.withLock { $0 = new } }

        func resolve(_ host: String, _ port: Int) -> [SocketAddress] {
            asked.withLock { $0 += 1 }
            return addresses.withLock { $0 }
        }
    }

    /// A listener that takes no connection: its queue is full, and what else comes is not answered.
    private final class Silence: Sendable {
        let address: SocketAddress
        private let listener: any Channel
        private let fillers: [any Channel]

        init() async throws {
            listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
                .serverChannelOption(.backlog, value: 0)
                .serverChannelOption(.autoRead, value: false)
                .bind(host: "127.0.0.1", port: 0)
                .get()
            guard let address = listener.localAddress else { throw ChannelError.unknownLocalAddress }
            self.address = address
            // Linux queues one more than the backlog says.
            fillers = [
                try await ClientBootstrap(group: MultiThreadedEventLoopGroup.singleton).connect(to: address).get()
            ]
        }

        func stop() async {
            for filler in fillers { try? await filler.close() }
            try? await listener.close()
        }
    }

    @Sendable private static func hasIPv6() async -> Bool {
        guard let listener = try? await listener("::1") else { return false }
        try? await listener.close()
        return true
    }

    private static func listener(_ host: String = "127.0.0.1") async throws -> any Channel {
        try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .serverChannelOption(.backlog, value: 256)
            .bind(host: host, port: 0)
            .get()
    }

    private let clock = ManualClock()
    /// The time that there is for each connection.
    private let limit = TimeAmount.seconds(20)

    private func connector(
        _ resolve: @escaping NameLookups.Resolve,
        networks: NetworkPolicy = NetworkPolicy(denied: [])
    ) -> UpstreamConnector {
        var timeouts = ProxyTimeouts()
        timeouts.connect = limit
        return UpstreamConnector(
            loop: MultiThreadedEventLoopGroup.singleton.next(),
            networks: networks,
            names: NameResolvers(ofCommand: clock, resolve: resolve),
            terms: UpstreamTerms(messageLimits: MessageLimits(), timeouts: timeouts, clock: clock)
        )
    }

    private func connector(
        _ names: Names,
        networks: NetworkPolicy = NetworkPolicy(denied: [])
    ) -> UpstreamConnector {
        connector(names.resolve, networks: networks)
    }

    /// - Parameter attempts: Counts the addresses that are tried.
    private func connect(
        _ connector: UpstreamConnector,
        to text: String = "many.test:443",
        attempts: Inbox = Inbox()
    ) async throws -> any Channel {
        let authority = try Authority(parsing: text, defaultPort: nil)
        return try await connector.loop.flatSubmit {
            connector.connect(to: UpstreamDestination(authority: authority), for: .api("")) { channel in
                attempts.update { $0.total += 1 }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
        }.get()
    }

    private func failure(
        _ connector: UpstreamConnector,
        to text: String = "many.test:443",
        attempts: Inbox = Inbox()
    ) async -> UpstreamFailure? {
        do {
            try await connect(connector, to: text, attempts: attempts).close()
            return nil
        } catch {
            return error as? UpstreamFailure
        }
    }

    private func token(
        _ connector: UpstreamConnector,
        to text: String = "many.test:443",
        attempts: Inbox = Inbox()
    ) async -> ProxyErrorToken? {
        await failure(connector, to: text, attempts: attempts)?.problem(authority: "").token
    }

    /// The address that was connected to, and how many were tried.
    private func reached(_ connector: UpstreamConnector) async throws -> (address: SocketAddress?, attempts: Int) {
        let attempts = Inbox()
        let channel = try await connect(connector, attempts: attempts)
        let address = channel.remoteAddress
        try await channel.close()
        return (address, attempts.total)
    }

    /// Waits until so many attempts have begun.
    private func hasBegun(_ count: Int, _ attempts: Inbox) async throws {
        _ = try await attempts.wait { $0.total >= count ? true : nil }
    }

    @Test("Addresses that refuse are passed over, and are tried last for a while, not left out")
    func passesOver() async throws {
        try await UnusedPort.with { port in
            let server = try await Self.listener()
            let good = try #require(server.localAddress)
            let refusing = try (1...3).map { try SocketAddress(ipAddress: "127.0.0.\($0)", port: port) }
            let names = Names(refusing + [good])
            let connector = connector(names)
            #expect(try await reached(connector) == (good, 4))
            #expect(try await reached(connector) == (good, 1))
            #expect(names.count == 1)
            await clock.advance(by: NameLookupQueue.answerLifetime)
            names.set([refusing[0]])
            #expect(await token(connector) == .connectionRefused)
            // Addresses that nobody can be connected to at are not kept.
            #expect(names.count == 2)
            // What accepts is first again, where it stood.
            names.set([good] + refusing)
            #expect(try await reached(connector) == (good, 1))
            #expect(names.count == 3)
            try await server.close()
        }
    }

    @Test("When all refuse, each is named")
    func namesAll() async throws {
        try await UnusedPort.with { port in
            let all = try (1...9).map { try SocketAddress(ipAddress: "127.0.0.\($0)", port: port) }
            let words = await failure(connector(Names(all)))?.problem(authority: "many.test:443").detail ?? ""
            let four = (1...4).map { "127.0.0.\($0): nothing listens there (connection refused); " }.joined()
            #expect(words.contains("many.test:443 could not be connected to: \(four)and 5 more. "))
        }
    }

    @Test("One that does not answer does not use up the limit, and is tried last the next time")
    func overtakes() async throws {
        let silence = try await Silence()
        let server = try await Self.listener()
        let good = try #require(server.localAddress)
        let names = Names([silence.address, good])
        let connector = connector(names)
        async let overtaken = reached(connector)
        try await clock.expire(ConnectionRace.usualDelay)
        #expect(try await overtaken == (good, 2))
        #expect(try await reached(connector) == (good, 1))
        await clock.advance(by: NameLookupQueue.answerLifetime)
        names.set([silence.address])
        let attempts = Inbox()
        async let failure = token(connector, attempts: attempts)
        try await hasBegun(1, attempts)
        try await clock.expire(limit)
        #expect(await failure == .connectionTimeout)
        try await server.close()
        await silence.stop()
    }

    @Test("One that refuses is followed at once, though an earlier one has not answered")
    func followsAtOnce() async throws {
        try await UnusedPort.with { port in
            let silence = try await Silence()
            let server = try await Self.listener()
            let good = try #require(server.localAddress)
            let refusing = try (1...40).map { try SocketAddress(ipAddress: "127.0.0.\($0)", port: port) }
            // With a delay for each of them time would have to pass again.
            let connector = connector(Names([silence.address] + refusing + [good]))
            async let result = reached(connector)
            try await clock.expire(ConnectionRace.usualDelay)
            #expect(try await result == (good, 42))
            try await server.close()
            await silence.stop()
        }
    }

    @Test("When none answers, the limit is one for all of them together, and what was begun is closed")
    func timesOut() async throws {
        let silent = [try await Silence(), try await Silence(), try await Silence()]
        let begun = Mutex<[any Channel]>([])
        let attempts = Inbox()
        let connector = connector(Names(silent.map(\.address)))
        let authority = try Authority(parsing: "many.test:443", defaultPort: nil)
        let result = connector.loop.flatSubmit {
            connector.connect(to: UpstreamDestination(authority: authority), for: .api("")) { channel in
                begun.withLock { $0.append(channel) }
                attempts.update { $0.total += 1 }
                return channel.eventLoop.makeSucceededVoidFuture()
            }
            .map { _ in nil }
            .flatMapErrorThrowing { ($0 as? UpstreamFailure)?.problem(authority: "").token }
        }
        try await hasBegun(1, attempts)
        try await clock.expire(limit)
        #expect(try await result.get() == .connectionTimeout)
        #expect(begun.withLock { $0.count } == 3)
        for channel in begun.withLock({ $0 }) { try await channel.closeFuture.get() }
        for one in silent { await one.stop() }
    }

    @Test("Both families are tried, in turn", .enabled("It needs IPv6 on loopback.", hasIPv6))
    func triesBothFamilies() async throws {
        let server = try await Self.listener("::1")
        let good = try #require(server.localAddress)
        try await UnusedPort.with { port in
            let refusing = try ["127.0.0.1", "127.0.0.2"].map { try SocketAddress(ipAddress: $0, port: port) }
            #expect(try await reached(connector(Names(refusing + [good]))) == (good, 2))
        }
        try await server.close()
    }

    @Test("Denied addresses of a name are not connected to, others are")
    func withholdsDenied() async throws {
        let denied = try await Self.listener("127.0.0.2")
        let server = try await Self.listener()
        let good = try #require(server.localAddress)
        let bad = try #require(denied.localAddress)
        let networks = NetworkPolicy(denied: [try IPNetwork("127.0.0.2")])
        let names = Names([bad, good])
        let connector = connector(names, networks: networks)
        #expect(try await reached(connector) == (good, 1))
        let mapped = try SocketAddress(ipAddress: "::ffff:127.0.0.2", port: try #require(bad.port))
        for one in [bad, mapped] {
            await clock.advance(by: NameLookupQueue.answerLifetime)
            names.set([one])
            #expect(await token(connector) == .destinationIPProhibited, "\(one)")
        }
        for literal in ["127.0.0.2:443", "[::ffff:127.0.0.2]:443", "[64:ff9b::7f00:2]:443"] {
            #expect(await token(connector, to: literal) == .destinationIPProhibited, "\(literal)")
        }
        try await denied.close()
        try await server.close()
    }

    @Test("A name that takes longer than the limit to resolve is told as such")
    func limitsResolution() async throws {
        let gate = DispatchGate()
        let connector = connector { _, _ in gate.pass() }
        async let failure = token(connector)
        try await clock.expire(limit)
        #expect(await failure == .dnsTimeout)
        gate.open()
    }
}
