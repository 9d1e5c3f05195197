import Dispatch
import NIOCore
import NIOPosix
import Synchronization
import Testing

@testable import paraph

@Suite("The watchdog")
struct WatchdogTests {
    private enum Event: Equatable {
        case told
        case released
    }

    private final class Events: Sendable {
        private let storage = Mutex<[Event]>([])

        func append(_ event: Event) { storage.withLock { $0.append(event) } }
        var all: [Event] { storage.withLock { $0 } }
    }

    @Test("tells nothing while an event loop is stuck")
    func stuck() async throws {
        let group = MultiThreadedEventLoopGroup(numberOfThreads: 2)
        let events = Events()
        let loops = Array(group.makeIterator())
        let release = DispatchSemaphore(value: 0)
        loops[1].execute { release.wait() }
        let watchdog = Watchdog(interval: .seconds(1), group: group) { events.append(.told) }
        let beat = Task { try await watchdog.beat() }
        // As much as the free loop can do.
        for _ in 0..<1000 { try await loops[0].submit {}.get() }
        events.append(.released)
        release.signal()
        try await beat.value
        #expect(events.all == [.released, .told])
        try await group.shutdownGracefully()
    }

    @Test("tells that all are alive")
    func alive() async throws {
        let events = Events()
        let watchdog = Watchdog(interval: .seconds(1), group: MultiThreadedEventLoopGroup.singleton) {
            events.append(.told)
        }
        for _ in 0..<3 { try await watchdog.beat() }
        #expect(events.all == [.told, .told, .told])
    }
}
