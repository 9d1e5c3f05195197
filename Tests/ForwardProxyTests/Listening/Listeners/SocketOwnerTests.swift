import NIOCore
import NIOPosix
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("The owner of a connection", .generousLimit, .timed)
struct SocketOwnerTests {
    private static let head = "  sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid\n"

    /// Returns a row of proc(5)'s table. Its words are those of a little-endian machine, as this project's all are.
    private func row(_ local: String, _ remote: String, state: String = "01", user: Int, inode: Int = 77) -> String {
        "  12: \(local) \(remote) \(state) 00000000:00000000 00:00000000 00000000 \(user) 0 \(inode) 1 0 100 0 0 10 0\n"
    }

    private func user(_ rows: String..., client: String = "127.0.0.1", server: String = "127.0.0.1") throws -> UInt32? {
        let client = try #require(SocketOwner.endpoint(SocketAddress(ipAddress: client, port: 0x9C40)))
        let server = try #require(SocketOwner.endpoint(SocketAddress(ipAddress: server, port: 0x1F90)))
        return SocketOwner.user(of: client, to: server, in: Self.head + rows.joined())
    }

    @Test("is told by the row of the client's own end")
    func found() throws {
        let other = row("0100007F:9C41", "0100007F:1F90", user: 1)
        let reversed = row("0100007F:1F90", "0100007F:9C40", user: 2)
        let own = row("0100007F:9C40", "0100007F:1F90", user: 1000)
        #expect(try user(other, reversed, own) == 1000)
        #expect(try user(other, reversed) == nil)
    }

    @Test("is told for IPv6, and for IPv4 on a socket for both")
    func families() throws {
        let loopback = row("00000000000000000000000001000000:9C40", "00000000000000000000000001000000:1F90", user: 5)
        #expect(try user(loopback, client: "::1", server: "::1") == 5)
        #expect(try user(loopback) == nil)
        let mapped = row("0000000000000000FFFF00000100007F:9C40", "0000000000000000FFFF00000100007F:1F90", user: 6)
        #expect(try user(mapped) == 6)
        #expect(try user(mapped, client: "::ffff:127.0.0.1") == 6)
    }

    @Test("is not root where the client has closed its end: the kernel lists that as root's")
    func closed() throws {
        #expect(try user(row("0100007F:9C40", "0100007F:1F90", state: "04", user: 0, inode: 0)) == nil)
        #expect(try user(row("0100007F:9C40", "0100007F:1F90", user: 0)) == 0)
    }

    @Test("is this process's for its own connections, and nobody's for one that is not there")
    func live() async throws {
        let group = MultiThreadedEventLoopGroup.singleton
        let server = try await ServerBootstrap(group: group).bind(host: "127.0.0.1", port: 0).get()
        let place = try #require(server.localAddress)
        let client = try await ClientBootstrap(group: group).connect(to: place).get()
        let near = try #require(client.localAddress)
        #expect(SocketOwner.isKnown)
        #expect(SocketOwner.isOwnUser(client: near, server: place))
        #expect(!SocketOwner.isOwnUser(client: try SocketAddress(ipAddress: "127.0.0.1", port: 1), server: place))
        try await client.close()
        try await server.close()
    }
}
