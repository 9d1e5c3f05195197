import Glibc
import NIOCore
import NIOPosix
@testable import paraph
import Testing

@Suite("Who listens on a port") struct PortHolderTests {
    @Test("A socket that listens is told from one that is connected, and from one of another port")
    func table() throws {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
               1: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 100 0 0 10 0
               2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000   104        0 13 1 0 100 0 0 10 0
               3: short
            """
        let socket = try #require(PortHolder.listeningSocket(ofPort: 8080, in: table))
        #expect(socket.user == 104)
        #expect(socket.inode == "13")
        #expect(PortHolder.listeningSocket(ofPort: 0x1F92, in: table) == nil)
    }

    @Test("This process is found by a port of its own")
    func own() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let holder = try #require(PortHolder.find(port: port))
        #expect(holder.user == geteuid())
        #expect(holder.process?.id == Int(getpid()))
        #expect(holder.description.hasPrefix("process \(getpid()) ("))
        try await listener.close()
    }

    @Test("Where the process cannot be looked into, its user is told")
    func user() {
        #expect(PortHolder(user: 0).description == "a process of root")
        #expect(PortHolder(user: 1000).description == "a process of the user with number 1000")
    }
}
