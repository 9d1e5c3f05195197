import Bytes
import Credentials
import Logging
import NIOCore
import Settings
import Testing
import TestSupport

@testable import ForwardProxy

@Suite("A provider's clock is taken from another replica", .generousLimit, .timed)
struct SharedClockKeeperTests {
    /// A replica with a clock of its own.
    private struct Replica {
        let machine = ManualClock()
        let log = LogLines()
        let api: APIContext
        let probation: Duration

        init(_ settings: APISettings, probation: Duration = .zero) throws {
            self.probation = probation
            api = try APIContext(settings: settings, target: nil, clock: nil, trust: nil, machine: machine)
        }

        func keeper(_ store: RecordedClocks) -> SharedClockKeeper {
            SharedClockKeeper(
                api: api,
                store: store,
                logger: log.logger,
                spread: .zero,
                retryPause: .milliseconds(1),
                probation: probation
            )
        }

        func knows(_ offset: Int64?) async {
            while api.clock.knownOffset.map({ abs($0 - (offset ?? .max / 2)) > 2 }) ?? (offset != nil),
                !Task.isCancelled
            {
                await Task.yield()
            }
        }
    }

    private let store = RecordedClocks()

    private func settings() throws -> APISettings {
        let setup = ProxySetup(apis: [ProxySetup.API(upstream: .https, port: 1)])
        return try #require(try setup.settings().apis.first)
    }

    private func with(_ replicas: [Replica], _ body: () async throws -> Void) async throws {
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            for replica in replicas { tasks.addTask { [store] in await replica.keeper(store).run() } }
            defer { tasks.cancelAll() }
            try await body()
        }
    }

    @Test("What one learns, the others go by, each by its own clock; also one that starts later")
    func shares() async throws {
        let (one, other, third) = (try Replica(settings()), try Replica(settings()), try Replica(settings()))
        await other.machine.advance(by: .hours(1))
        try await with([one, other]) {
            #expect(one.api.followClock(400, one.log.logger))
            await other.knows(400 - 3_600)
            #expect(one.api.clock.currentOffset == 400)
            try await with([third]) { await third.knows(400) }
            #expect(other.log.text.contains("the provider's clock is followed, as another replica has learnt it"))
            #expect(other.log.text.contains("\"offset_seconds\": -3"))
            #expect(!one.log.text.contains("another replica"))
        }
    }

    @Test("What the provider refuses at once is told to nobody, and what it takes, after a while")
    func proves() async throws {
        let one = try Replica(settings(), probation: .seconds(3_600))
        let other = try Replica(settings(), probation: .milliseconds(1))
        try await with([one, other]) {
            #expect(one.api.followClock(400, one.log.logger))
            #expect(one.api.clock.unlearn(offset: 400, before: 0))
            one.api.clock.sharing.unlearnt()
            #expect(other.api.followClock(700, other.log.logger))
            await one.knows(700)
            #expect(!other.log.text.contains("another replica"))
        }
    }

    @Test("What the provider refuses at one in the end, the others do not go by any more")
    func drops() async throws {
        let (one, other) = (try Replica(settings()), try Replica(settings()))
        try await with([one, other]) {
            #expect(one.api.followClock(400, one.log.logger))
            await other.knows(400)
            #expect(one.api.clock.unlearn(offset: 400, before: 0))
            one.api.clock.sharing.unlearnt()
            await other.knows(nil)
            #expect(other.log.text.contains("it refused the time that another replica had learnt"))
        }
    }

    @Test("What is learnt while the store is away is told when it is back")
    func goesOn() async throws {
        let (one, other) = (try Replica(settings()), try Replica(settings()))
        try await with([one, other]) {
            store.setAway(true)
            #expect(one.api.followClock(400, one.log.logger))
            #expect(store.writes(of: "api") == 0)
            store.setAway(false)
            await other.knows(400)
        }
    }

    @Test("A later configuration goes on with what is known, and the earlier one ends")
    func reloads() async throws {
        let (one, other) = (try Replica(settings()), try Replica(settings()))
        try await with([other]) {
            let earlier = Task { [store] in await one.keeper(store).run() }
            #expect(one.api.followClock(400, one.log.logger))
            await other.knows(400)
            let writes = store.writes(of: "api")
            try await with([one]) {
                await earlier.value
                #expect(other.api.followClock(900, other.log.logger))
                await one.knows(900)
            }
            #expect(store.writes(of: "api") == writes + 3)
        }
    }
}
