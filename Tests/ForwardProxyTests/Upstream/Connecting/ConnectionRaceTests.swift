import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The order in which a name's addresses are tried")
struct ConnectionRaceTests {
    private static let a = address("192.0.2.1")
    private static let b = address("192.0.2.2")
    private static let c = address("192.0.2.3")
    private static let six = address("2001:db8::1")
    private static let seven = address("2001:db8::2")

    private static func address(_ text: String) -> SocketAddress {
        guard let address = try? SocketAddress(ipAddress: text, port: 443) else { preconditionFailure("\(text)") }
        return address
    }

    @Test("One that does not answer is joined by the next after each delay, and the last is waited for")
    func joins() {
        var race = ConnectionRace([Self.a, Self.b, Self.c], limit: .seconds(10))
        #expect(race.start() == .attempt(Self.a))
        #expect(race.delayElapsed() == .attempt(Self.b))
        #expect(!race.isRunningOut)
        #expect(race.delayElapsed() == .attempt(Self.c))
        #expect(race.isRunningOut)
        #expect(race.delayElapsed() == .wait)
        #expect(race.failed(Self.b) == .wait)
        #expect(race.failed(Self.a) == .wait)
        #expect(race.failed(Self.c) == .giveUp)
    }

    @Test("One that refuses is followed at once, also while an earlier one has not answered")
    func follows() {
        var race = ConnectionRace([Self.a, Self.b, Self.c], limit: .seconds(10))
        #expect(race.start() == .attempt(Self.a))
        #expect(race.delayElapsed() == .attempt(Self.b))
        #expect(race.failed(Self.b) == .attempt(Self.c))
        #expect(race.pending == [Self.a, Self.c])
        #expect(race.succeeded(Self.c) == .take(overtaken: [Self.a]))
    }

    @Test("The first that accepts overtakes those that were begun with before it, not those after it")
    func overtakes() {
        var race = ConnectionRace([Self.a, Self.b, Self.c], limit: .seconds(10))
        _ = (race.start(), race.delayElapsed(), race.delayElapsed())
        #expect(race.succeeded(Self.b) == .take(overtaken: [Self.a]))
        #expect(race.pending.isEmpty)
        #expect(race.isRunningOut)
    }

    @Test("A name without addresses has nothing to try")
    func givesUp() {
        var race = ConnectionRace([], limit: .seconds(10))
        #expect(race.start() == .giveUp)
        #expect(race.isOver)
    }

    @Test("What happens after the end changes nothing")
    func over() {
        var race = ConnectionRace([Self.a, Self.b, Self.c], limit: .seconds(10))
        _ = (race.start(), race.delayElapsed())
        #expect(!race.isOver)
        #expect(race.succeeded(Self.a) == .take(overtaken: []))
        #expect(race.isOver)
        #expect(race.succeeded(Self.b) == .close)
        #expect(race.failed(Self.b) == .wait)
        #expect(race.delayElapsed() == .wait)
        #expect(race.timedOut() == .none)
    }

    @Test("The end of the time tells who has not answered")
    func timesOut() {
        var race = ConnectionRace([Self.a, Self.b, Self.c], limit: .seconds(10))
        _ = (race.start(), race.delayElapsed())
        #expect(race.timedOut() == .giveUp(pending: [Self.a, Self.b]))
        #expect(race.timedOut() == .none)
        #expect(race.succeeded(Self.a) == .close)
    }

    @Test("One that is abandoned is over")
    func abandoned() {
        var race = ConnectionRace([Self.a, Self.b], limit: .seconds(10))
        _ = race.start()
        race.abandon()
        #expect(race.isOver && race.pending.isEmpty)
        #expect(race.failed(Self.a) == .wait)
    }

    @Test(
        "The delay is the usual one, or what gives each address its turn, never less than RFC 8305 allows",
        arguments: [(1, 10_000, 250), (39, 10_000, 250), (49, 10_000, 200), (4, 500, 100), (60, 100, 10), (2, 0, 10)]
    )
    func delays(count: Int, limit: Int64, expected: Int64) throws {
        let addresses = try (1...count).map { try SocketAddress(ipAddress: "192.0.2.\($0)", port: 443) }
        #expect(ConnectionRace(addresses, limit: .milliseconds(limit)).delay == .milliseconds(expected))
    }

    @Test("No more addresses are tried than a descriptor each can be afforded for")
    func isBounded() throws {
        let addresses = try (1...200).map { try SocketAddress(ipAddress: "192.0.2.\($0)", port: 443) }
        var race = ConnectionRace(addresses, limit: .seconds(10))
        _ = race.start()
        for _ in addresses { _ = race.delayElapsed() }
        #expect(race.pending.count == ConnectionRace.maximumAddresses)
    }

    @Test("The families take turns, beginning with that of the resolver's first, and each keeps its order")
    func interleaves() {
        let ordered = ConnectionRace.interleaved
        #expect(ordered([Self.six, Self.seven, Self.a, Self.b]) == [Self.six, Self.a, Self.seven, Self.b])
        #expect(ordered([Self.a, Self.b, Self.c, Self.six]) == [Self.a, Self.six, Self.b, Self.c])
        #expect(ordered([Self.a, Self.a, Self.b]) == [Self.a, Self.b])
        #expect(ordered([]) == [])
    }
}
