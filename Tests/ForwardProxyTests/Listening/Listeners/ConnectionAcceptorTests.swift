import NIOCore
import NIOEmbedded
import NIOSSL
import PrometheusMetrics
import Routing
import Settings
import Testing
import UpstreamTrust
import X509

@testable import ForwardProxy
@testable import ProviderSimulator

/// The decisions that are made at once. Tests over sockets have connections that wait until another one has given way.
@Suite("The acceptance of a connection")
struct ConnectionAcceptorTests {
    private struct NoListener: Error {}

    /// A connection as it has just come.
    private final class Arrival {
        let channel: EmbeddedChannel
        /// The decision; nil as long as there is none.
        fileprivate(set) var isServed: Bool?

        init(from address: String, to port: Int, on loop: EmbeddedEventLoop) throws {
            channel = EmbeddedChannel(loop: loop)
            channel.remoteAddress = try SocketAddress(ipAddress: address, port: 1)
            channel.localAddress = try SocketAddress(ipAddress: "127.0.0.1", port: port)
        }

        func handler<Handler: ChannelHandler>(_ type: Handler.Type) -> Handler? {
            try? channel.pipeline.syncOperations.handler(type: type)
        }

        var client: ClientHandler? { handler(ClientHandler.self) }
    }

    private final class Listener {
        static let port = 8080

        let proxy: EmbeddedProxy
        let loop: ProxyLoop
        private let acceptor: ConnectionAcceptor
        private let registry = MetricsRegistry()

        init(_ setup: ProxySetup) throws {
            proxy = try EmbeddedProxy(setup)
            loop = ProxyLoop(worker: proxy.worker, registry: registry)
            acceptor = ConnectionAcceptor(loop, room: proxy.room, registry: registry)
        }

        /// - Parameter api: That of the gateway that it comes to; nil: the proxy itself.
        func accept(api: String? = nil, from address: String = "127.0.0.1") throws -> Arrival {
            let listener = proxy.worker.settings.listeners.first { $0.purpose.api == api }
            guard let listener else { throw NoListener() }
            return try accept(at: listener.key, from: address)
        }

        func accept(at key: ListenerKey, from address: String = "127.0.0.1") throws -> Arrival {
            let arrival = try Arrival(from: address, to: Self.port, on: proxy.clock.loop)
            acceptor.accept(arrival.channel, at: key).assumeIsolated().whenComplete { result in
                if case .success = result { arrival.isServed = true } else { arrival.isServed = false }
            }
            if arrival.isServed == true, let remote = arrival.channel.remoteAddress {
                arrival.channel.connect(to: remote, promise: nil)
            }
            return arrival
        }

        var openCount: Int { proxy.room.counter.open }

        /// Takes all the room that there is for connections over a limit of none.
        func fill() {
            while case .surplus = proxy.room.counter.arrive(limit: 0) {}
        }

        var turnedAwayCount: MetricValue? {
            MetricsRegistry.families(of: [registry], [ProxyMetrics.turnedAway]).first?.samples.first?.value
        }
    }

    // MARK: With room

    @Test("One to the proxy is counted for its address until it ends, and served")
    func serves() throws {
        let listener = try Listener(.unconnected)
        let arrival = try listener.accept()
        #expect(arrival.isServed == true)
        let client = try #require(arrival.client)
        #expect(client.peer == .v4(0x7F00_0001))
        let isAtGateway = client.requests.gateway != nil
        #expect(!isAtGateway)
        #expect(!client.beginsWithTLS)
        #expect(client.isPlaced)
        let hasPlace = client.requests.identity.place != nil
        #expect(!hasPlace)
        let address = listener.proxy.common.usages.usage(of: .peer(client.peer))
        #expect(listener.openCount == 1)
        #expect(address.places.held == 1)
        arrival.channel.close(promise: nil)
        listener.proxy.clock.loop.run()
        #expect(listener.openCount == 0)
        #expect(address.places.held == 0)
    }

    @Test("It is read from piece by piece, and may end in one direction alone")
    func options() throws {
        let arrival = try Listener(.unconnected).accept()
        let most = arrival.channel.options.first { $0.option is ChannelOptions.Types.MaxMessagesPerReadOption }?.value
        #expect(most as? UInt == 1)
        #expect(arrival.channel.allowRemoteHalfClosure)
    }

    @Test("One to a gateway is the gateway's, with the address that it came to")
    func gateway() throws {
        var setup = ProxySetup.unconnected
        setup.apis[1].gateway = GatewaySettings()
        let listener = try Listener(setup)
        let arrival = try listener.accept(api: "second")
        let client = try #require(arrival.client)
        let gateway = try #require(client.requests.gateway)
        #expect(gateway.gateway(by: listener.proxy.worker)?.route.name == "second")
        #expect(gateway.address?.port == Listener.port)
    }

    @Test("One to a listener that the configuration does not have any more is not served, nor counted")
    func unknownListener() throws {
        let listener = try Listener(.unconnected)
        let arrival = try listener.accept(at: ListenerKey(address: ListenAddress(host: "127.0.0.1", port: 1), api: nil))
        #expect(arrival.isServed == false)
        let isHandled = arrival.client != nil
        #expect(!isHandled)
        #expect(listener.openCount == 0)
    }

    @Test("One to the proxy begins with TLS where that has a certificate, and one to a gateway does not")
    func tls() throws {
        let listener = try Listener(try withCertificate(.unconnected))
        for (api, begins) in [(nil, true), ("api", false)] as [(String?, Bool)] {
            let arrival = try listener.accept(api: api)
            let hasTLS = arrival.handler(NIOSSLServerHandler.self) != nil
            #expect(hasTLS == begins)
            let isObserved = arrival.handler(HandshakeObserver.self) != nil
            #expect(isObserved == begins)
            #expect(arrival.client?.beginsWithTLS == begins)
        }
    }

    private func withCertificate(_ setup: ProxySetup) throws -> ProxySetup {
        let certificates = try ServerIdentity.shared.get()
        var setup = setup
        setup.apis[0].gateway = GatewaySettings()
        setup.identity = TLSIdentity(
            chain: [certificates.leaf],
            key: try Certificate.PrivateKey(derBytes: certificates.leafKeyDER)
        )
        return setup
    }

    // MARK: Without room

    @Test("Where clients are listed one too many is heard all the same, for it may have a name")
    func overLimit() throws {
        var setup = ProxySetup.listed
        setup.limits.connections = 1
        let listener = try Listener(setup)
        let shortages = try (0..<2).map { _ in
            let arrival = try listener.accept()
            let client = try #require(arrival.client)
            let hasPlace = client.requests.identity.place != nil
            #expect(hasPlace)
            return client.requests.identity.overLimit
        }
        #expect(shortages == [nil, .places])
        #expect(listener.openCount == 2)
    }

    @Test("Far over the limit the oldest of the same address ends that nobody has been named for")
    func replaces() throws {
        var setup = ProxySetup.listed
        setup.limits.connections = 0
        let listener = try Listener(setup)
        var arrivals: [Arrival] = []
        repeat { arrivals.append(try listener.accept()) } while arrivals[0].channel.isActive && arrivals.count < 100
        // As many as leave others some of the room.
        #expect(arrivals.count < 64)
        #expect(arrivals.filter { !$0.channel.isActive }.count == 1)
        #expect(arrivals.last?.isServed == true)
        listener.proxy.clock.loop.run()
        #expect(listener.openCount == arrivals.count - 1)
        let other = try listener.accept(from: "127.0.0.2")
        #expect(other.isServed == true)
        #expect(arrivals.filter { !$0.channel.isActive }.count == 1)
    }

    @Test("Where none are listed, one far over the limit is told so, and counted as turned away")
    func turnsAway() throws {
        var setup = ProxySetup.unconnected
        setup.limits.connections = 0
        let listener = try Listener(setup)
        listener.fill()
        let count = listener.openCount
        let arrival = try listener.accept()
        #expect(arrival.isServed == true)
        let isHandled = arrival.client != nil
        #expect(!isHandled)
        let answer = try arrival.channel.readOutbound(as: ByteBuffer.self)
        let expected = ProblemResponse.bytes(for: .tooManyConnections, omitsBody: false, closes: true)
        #expect(answer == expected)
        #expect(!arrival.channel.isActive)
        #expect(listener.openCount == count)
        #expect(listener.turnedAwayCount == .integer(1))
    }

    @Test("By TLS it is not even told")
    func turnsAwayTLS() throws {
        var setup = try withCertificate(.unconnected)
        setup.limits.connections = 0
        let listener = try Listener(setup)
        listener.fill()
        let arrival = try listener.accept()
        #expect(arrival.isServed == false)
        #expect(listener.turnedAwayCount == .integer(1))
    }
}
