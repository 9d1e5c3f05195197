import Testing

@testable import ForwardProxy

@Suite("Idle connections")
struct IdleConnectionsTests {
    private final class Connection {}

    private let connections = (0..<5).map { _ in Connection() }

    private func idle(limit: Int) -> IdleConnections<Connection> {
        var idle = IdleConnections<Connection>(limit: limit)
        for connection in connections { idle.append(connection) }
        return idle
    }

    @Test("The newest is used first, the oldest closed first")
    func orders() {
        var idle = idle(limit: 1)
        #expect(idle.takeNewest() === connections[4])
        #expect(idle.takeOldest(2).map(ObjectIdentifier.init) == connections[0..<2].map(ObjectIdentifier.init))
        #expect(idle.takeAll().map(ObjectIdentifier.init) == connections[2..<4].map(ObjectIdentifier.init))
        #expect(idle.isEmpty)
        #expect(idle.takeNewest() == nil)
        #expect(idle.takeOldest(1).isEmpty)
    }

    @Test("No connection over the limit is unneeded that was used, or has just come")
    func tellsUnneeded() {
        var idle = idle(limit: 1)
        #expect(idle.surplus == 4)
        #expect(idle.unneeded == 0)
        idle.startWatching()
        #expect(idle.unneeded == 4)
        let used = [idle.takeNewest(), idle.takeNewest()].compactMap(\.self)
        for connection in used { idle.append(connection) }
        #expect(idle.unneeded == 3)
        idle.startWatching()
        #expect(idle.unneeded == 4)
    }

    @Test("The limit is kept, though nobody uses it")
    func keepsLimit() {
        var idle = idle(limit: 4)
        idle.startWatching()
        #expect(idle.unneeded == 1)
        #expect(idle.takeOldest(idle.unneeded).count == 1)
        #expect(idle.surplus == 0)
        #expect(idle.unneeded == 0)
    }

    @Test("One that has ended is none of those that nobody has used", arguments: [0, 4])
    func forgets(index: Int) {
        var idle = idle(limit: 0)
        idle.startWatching()
        _ = idle.takeNewest().map { idle.append($0) }
        idle.remove(connections[index])
        idle.remove(Connection())
        #expect(idle.unneeded == (index == 0 ? 3 : 4))
        #expect(idle.surplus == 4)
    }
}
