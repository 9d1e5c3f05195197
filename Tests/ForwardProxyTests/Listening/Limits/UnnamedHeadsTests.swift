import Testing

@testable import ForwardProxy

@Suite("Heads that nobody is named for")
struct UnnamedHeadsTests {
    private final class Connection {}

    @Test("The oldest of the newcomer's address ends, then the oldest of any, and never the newcomer")
    func order() {
        let connections = (0..<4).map { _ in Connection() }
        let ids = connections.map { ObjectIdentifier($0) }
        let (here, elsewhere) = (PeerAddress.v4(1), PeerAddress.v4(2))
        var heads = UnnamedHeads()
        heads.insert(ids[0]) { elsewhere }
        for id in ids[1...] { heads.insert(id) { here } }
        heads.insert(ids[1]) { here }
        heads.remove(ids[3])
        #expect(heads.takeOldest(for: ids[1], at: here) == ids[2])
        #expect(heads.takeOldest(for: ids[1], at: here) == ids[0])
        #expect(heads.takeOldest(for: ids[1], at: here) == nil)
        #expect(heads.takeOldest(for: ids[3], at: here) == ids[1])
    }
}
