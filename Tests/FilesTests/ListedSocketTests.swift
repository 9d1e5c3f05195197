import Files
import Testing

@Suite("The kernel's list of sockets")
struct ListedSocketTests {
    private static let table = """
          sl  local_address rem_address   st tx_queue rx_queue tr tm->when retrnsmt   uid  timeout inode
           0: 0100007F:1F90 0100007F:9C40 01 00000000:00000000 00:00000000 00000000  1000        0 11 1 0 100 0 0 10 0
           1: short
           2: 0100007F:1F91 00000000:0000 0A 00000000:00000000 00:00000000 00000000   104        0 12 1 0 100 0 0 10 0
           3: 0100007F:1F92 0100007F:9C41 04 00000000:00000000 00:00000000 00000000     0        0 0 1 0 100 0 0 10 0

        """

    @Test("has both ends of each, its user, and its number unless it is closed")
    func rows() throws {
        let sockets = Array(ListedSocket.all(in: Self.table))
        try #require(sockets.count == 3)
        #expect(sockets.map(\.local) == ["0100007F:1F90", "0100007F:1F91", "0100007F:1F92"])
        #expect(sockets.map(\.remote) == ["0100007F:9C40", "00000000:0000", "0100007F:9C41"])
        #expect(sockets.map(\.isListening) == [false, true, false])
        #expect(sockets.map(\.user) == [1000, 104, 0])
        #expect(sockets.map(\.inode) == ["11", "12", "0"])
        #expect(sockets.map(\.isOpen) == [true, true, false])
    }
}
