import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("The tunnels of an event loop")
struct TunnelSetTests {
    private struct Tunnel {
        let near: TunnelHandler
        let client: EmbeddedChannel
        let upstream: EmbeddedChannel

        var isOpen: Bool { client.isActive || upstream.isActive }
    }

    private let clock = EmbeddedClock()

    private func tunnel() throws -> Tunnel {
        let (near, far) = TunnelHandler.pair(idleTime: .seconds(9), clock: clock)
        return Tunnel(near: near, client: try channel(near), upstream: try channel(far))
    }

    private func channel(_ handler: TunnelHandler) throws -> EmbeddedChannel {
        let channel = EmbeddedChannel(handler: handler, loop: clock.loop)
        try channel.connect(to: SocketAddress(ipAddress: "127.0.0.1", port: 1)).wait()
        return channel
    }

    @Test("has each once, and finds it by its identity until it is removed")
    func finds() throws {
        let (one, other) = (try tunnel(), try tunnel())
        var tunnels = TunnelSet()
        for tunnel in [one, other, one] { tunnels.insert(tunnel.near) }
        #expect(tunnels.count == 2)
        let found = tunnels[ObjectIdentifier(one.near)] === one.near
        #expect(found)
        tunnels.remove(one.near)
        tunnels.remove(one.near)
        #expect(tunnels.count == 1)
        let isGone = tunnels[ObjectIdentifier(one.near)] == nil
        #expect(isGone)
        let left = tunnels.map { ObjectIdentifier($0) }
        #expect(left == [ObjectIdentifier(other.near)])
    }

    @Test("closes both ends of each that it has, and no other")
    func closes() throws {
        let open = try (0..<3).map { _ in try tunnel() }
        var tunnels = TunnelSet()
        for tunnel in open { tunnels.insert(tunnel.near) }
        tunnels.remove(open[2].near)
        tunnels.closeAll()
        clock.loop.run()
        #expect(open.map(\.isOpen) == [false, false, true])
    }
}
