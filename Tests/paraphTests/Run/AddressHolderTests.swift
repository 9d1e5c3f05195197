import Files
import Glibc
import NIOCore
import NIOPosix
@testable import paraph
import Settings
import TestSupport
import Testing

@Suite("The listener at an address") struct AddressHolderTests {
    @Test("A socket that listens is told from one that is connected, and from one of another port")
    func table() throws {
        let table = """
              sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
               0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
               1: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000  1000        0 12 1 0 100 0 0 10 0
               2: 0100007F:1F90 00000000:0000 0A 00000000:00000000 00:00000000 00000000   104        0 13 1 0 100 0 0 10 0
               3: short
            """
        let socket = try #require(AddressHolder.listeningSocket(ofPort: 8080, in: table))
        #expect(socket.user == 104)
        #expect(socket.inode == "13")
        #expect(AddressHolder.listeningSocket(ofPort: 0x1F92, in: table) == nil)
    }

    @Test("This process is found by a port of its own")
    func own() async throws {
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(host: "127.0.0.1", port: 0).get()
        let port = try #require(listener.localAddress?.port)
        let holder = try #require(AddressHolder.find(ListenAddress(host: "127.0.0.1", port: port)))
        #expect(holder.user == geteuid())
        #expect(holder.process?.id == Int(getpid()))
        #expect(holder.description.hasPrefix("process \(getpid()) ("))
        try await listener.close()
    }

    @Test("A Unix domain socket that listens is found by its path, or by a relative one that may come to it")
    func unixTable() {
        let table = """
            Num       RefCount Protocol Flags    Type St Inode Path
            0000000000000000: 00000002 00000000 00010000 0001 01 11 /run/x/proxy.sock
            0000000000000000: 00000003 00000000 00000000 0001 03 12 /run/x/a proxy.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 13 /run/x/a proxy.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 14 x/a proxy.sock
            0000000000000000: 00000002 00000000 00010000 0001 01 15 proxy.sock
            0000000000000000: 00000003 00000000 00000000 0001 03 16
            """
        func inodes(_ path: String) -> [String] {
            AddressHolder.listeningSockets(at: path, in: table).map(\.inode)
        }
        #expect(inodes("/run/x/a proxy.sock") == ["13", "14"])
        #expect(inodes("/run/x/proxy.sock") == ["11", "15"])
        #expect(inodes("/run/x/other.sock").isEmpty)
    }

    @Test("This process is found by a Unix domain socket of its own, and nobody where there is none")
    func ownSocket() async throws {
        let directory = try TestDirectory()
        let path = directory("s")
        let listener = try await ServerBootstrap(group: MultiThreadedEventLoopGroup.singleton)
            .bind(unixDomainSocketPath: path).get()
        let holder = try #require(AddressHolder.find(ListenAddress(path: path)))
        #expect(holder.user == geteuid())
        #expect(holder.process?.id == Int(getpid()))
        #expect(AddressHolder.find(ListenAddress(path: directory("other"))) == nil)
        try await listener.close()
    }

    @Test("Where the process cannot be looked into, its user is told")
    func user() {
        #expect(AddressHolder(user: 0).description == "a process of root")
        #expect(AddressHolder(user: 1000).description == "a process of the user with number 1000")
    }
}
