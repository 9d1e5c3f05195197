import Logging
import NIOCore
import NIOPosix
import Settings
import TestSupport
import Testing

@testable import ForwardProxy

@Suite("The place of a client's connection", .generousLimit, .timed)
struct ClientPlaceTests {
    private struct NoPlace: Error {}

    /// Connections, places and places over the limit that are counted for a client or an address.
    private static let nothing = [0, 0, 0]
    private static let served = [1, 1, 0]
    private static let refused = [0, 0, 1]

    private static func counts(_ usage: ClientUsage) -> [Int] {
        [usage.connections.held, usage.places.held, usage.surplus.held]
    }

    private let usages: ClientUsages
    private let room: ConnectionRoom
    private let address: ClientUsage
    private let client: ClientUsage

    init() {
        let clock = ManualClock()
        usages = ClientUsages(clock: clock, logger: Logger(label: "test"))
        room = ConnectionRoom(loops: [], clock: clock, abated: {})
        address = usages.usage(of: .peer(.v4(1)))
        client = usages.usage(of: .client("one"))
    }

    private func arrive(limit: Int) throws -> ClientPlace {
        guard let place = ClientPlace.arrive(address, room, limit: limit) else { throw NoPlace() }
        return place
    }

    /// Takes as many connections for the client as leave room for others alone.
    private func useUpShare() {
        var limits = ProxyLimits()
        limits.openConnections = 10
        usages.apply(limits)
        for _ in 0..<8 { client.takeConnectionAnyway() }
    }

    private func giveBackShare() {
        for _ in 0..<8 { client.giveBackConnection() }
    }

    /// Indicates whether everything is as if no connection had come.
    private var isNothingCounted: Bool {
        let counter = room.counter
        // None is served and none is over the limit, rather than as many too few as too many.
        guard counter.open == 0, case .surplus(let surplus) = counter.arrive(limit: 0) else { return false }
        counter.leave(surplus)
        guard case .admitted = counter.arrive(limit: 1) else { return false }
        counter.leave()
        return Self.counts(address) == Self.nothing && Self.counts(client) == Self.nothing
    }

    // MARK: On arrival

    @Test("One that finds room is counted for its address until it ends, and given back once")
    func arrives() throws {
        let place = try arrive(limit: 1)
        #expect(place.isAdmitted)
        #expect(place.isUnnamed)
        #expect(place.surplus == nil)
        #expect(Self.counts(address) == Self.served)
        place.end()
        #expect(!place.isAdmitted)
        place.end()
        #expect(isNothingCounted)
    }

    @Test("One over the limit is served when another one has ended, and not before")
    func waits() throws {
        let first = try arrive(limit: 1)
        let second = try arrive(limit: 1)
        #expect(!second.isAdmitted)
        #expect(Self.counts(address) == [1, 1, 1])
        let early = second.takeFree(limit: 1)
        #expect(early == .places)
        #expect(Self.counts(address) == [1, 1, 1])
        first.end()
        let late = second.takeFree(limit: 1)
        #expect(late == nil)
        #expect(second.isAdmitted)
        #expect(Self.counts(address) == Self.served)
        second.end()
        second.end()
        #expect(isNothingCounted)
    }

    @Test("One that has ended while it was over the limit gets no place any more")
    func endsOverLimit() throws {
        let place = try arrive(limit: 0)
        #expect(Self.counts(address) == Self.refused)
        place.end()
        let shortage = place.takeFree(limit: 1)
        #expect(shortage == .places)
        let isServed = place.claim(for: client)
        #expect(!isServed)
        place.end()
        #expect(isNothingCounted)
    }

    @Test("One far over the limit is not counted, unless another one is to end for it")
    func turnedAway() throws {
        let waiting = try (0..<64).map { _ in try arrive(limit: 0) }
        let isTurnedAway = ClientPlace.arrive(address, room, limit: 0) == nil
        #expect(isTurnedAway)
        #expect(Self.counts(address) == [0, 0, 64])
        let anyway = ClientPlace.arriveAnyway(address, room)
        #expect(!anyway.isAdmitted)
        #expect(Self.counts(address) == [0, 0, 65])
        for place in waiting + [anyway] { place.end() }
        #expect(isNothingCounted)
    }

    @Test("An address leaves others some of the room to be told so")
    func shareOfSurplus() throws {
        var limits = ProxyLimits()
        limits.connections = 0
        usages.apply(limits)
        var waiting: [ClientPlace] = []
        while let place = ClientPlace.arrive(address, room, limit: 0) { waiting.append(place) }
        #expect(waiting.count < 64)
        #expect(room.counter.open == waiting.count)
        let other = usages.usage(of: .peer(.v4(2)))
        guard let newcomer = ClientPlace.arrive(other, room, limit: 0) else { throw NoPlace() }
        for place in waiting + [newcomer] { place.end() }
        #expect(Self.counts(other) == Self.nothing)
        #expect(isNothingCounted)
    }

    // MARK: When the client is known

    @Test("It is counted for the client that is named for it, and no more for its address")
    func claims() throws {
        let place = try arrive(limit: 1)
        let isServed = place.claim(for: client)
        #expect(isServed)
        #expect(!place.isUnnamed)
        #expect(place.clientName == "one")
        #expect(Self.counts(address) == Self.nothing)
        #expect(Self.counts(client) == Self.served)
        place.end()
        #expect(isNothingCounted)
    }

    @Test("One too many of the client's keeps no place from others, and is counted for its address")
    func claimsBeyondShare() throws {
        useUpShare()
        let place = try arrive(limit: 1)
        let isServed = place.claim(for: client)
        #expect(!isServed)
        #expect(!place.isAdmitted)
        let shortage = place.shortage
        #expect(shortage == .share)
        #expect(place.clientName == nil)
        #expect(Self.counts(address) == Self.refused)
        #expect(Self.counts(client) == [8, 8, 0])
        let other = try arrive(limit: 1)
        other.end()
        place.end()
        giveBackShare()
        #expect(isNothingCounted)
    }

    // MARK: In place of another one

    private struct Taking: Sendable {
        let shortage: String?
        let isAdmitted: Bool
        let address: [Int]
        let client: [Int]
    }

    /// Asks for a place for the client by a connection, which ends then, and returns what came of it.
    private func take(
        limit: Int,
        limitAtArrival: Int = 0,
        endsMeanwhile: Bool = false
    ) async throws -> Taking {
        let loop = MultiThreadedEventLoopGroup.singleton.next()
        return try await loop.flatSubmit { [address, client, room] () -> EventLoopFuture<Taking> in
            guard let place = ClientPlace.arrive(address, room, limit: limitAtArrival) else {
                return loop.makeFailedFuture(NoPlace())
            }
            let bound = NIOLoopBound(place, eventLoop: loop)
            let taken = place.take(for: client, .client("one"), limit: limit, on: loop)
            if endsMeanwhile { place.end() }
            return taken.map { shortage in
                let taking = Taking(
                    shortage: shortage.map { "\($0)" },
                    isAdmitted: bound.value.isAdmitted,
                    address: Self.counts(address),
                    client: Self.counts(client)
                )
                bound.value.end()
                return taking
            }
        }.get()
    }

    @Test("One over the limit is served, for the client alone, where there is room by now")
    func takes() async throws {
        let taking = try await take(limit: 1)
        #expect(taking.shortage == nil)
        #expect(taking.isAdmitted)
        #expect(taking.address == Self.nothing)
        #expect(taking.client == Self.served)
        #expect(isNothingCounted)
    }

    @Test("It stays over the limit where there is none, and is counted for its address")
    func takesNone() async throws {
        let taking = try await take(limit: 0)
        #expect(taking.shortage == "places")
        #expect(!taking.isAdmitted)
        #expect(taking.address == Self.refused)
        #expect(taking.client == Self.nothing)
        #expect(isNothingCounted)
    }

    @Test("It stays over the limit where there is room, but the client has its share")
    func takesBeyondShare() async throws {
        useUpShare()
        let taking = try await take(limit: 1)
        #expect(taking.shortage == "share")
        #expect(!taking.isAdmitted)
        #expect(taking.address == Self.refused)
        #expect(taking.client == [8, 8, 0])
        giveBackShare()
        #expect(isNothingCounted)
    }

    @Test("One that is served keeps its place")
    func takesAgain() async throws {
        let taking = try await take(limit: 1, limitAtArrival: 1)
        #expect(taking.shortage == nil)
        #expect(taking.address == Self.served)
        #expect(taking.client == Self.nothing)
        #expect(isNothingCounted)
    }

    @Test("One that ends while it is looked for a place gives back what was kept for it")
    func endsMeanwhile() async throws {
        let taking = try await take(limit: 1, endsMeanwhile: true)
        #expect(taking.shortage == "places")
        #expect(!taking.isAdmitted)
        #expect(taking.address == Self.nothing)
        #expect(taking.client == Self.nothing)
        #expect(isNothingCounted)
    }
}
