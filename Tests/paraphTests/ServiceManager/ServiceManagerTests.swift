import Synchronization
import Testing

@testable import paraph

@Suite("The state that the service manager is told")
struct ServiceManagerTests {
    /// The messages, with all times as 0.
    private final class Told: Sendable {
        private let messages = Mutex<[ServiceNotification]>([])

        @Sendable func deliver(_ message: ServiceNotification) {
            messages.withLock { messages in
                if case .reloading(let time, let status) = message {
                    #expect(time > 0)
                    messages.append(.reloading(monotonicMicroseconds: 0, status: status))
                } else {
                    messages.append(message)
                }
            }
        }

        /// Takes what a manager has been told by now.
        func take(_ manager: ServiceManager) async -> [ServiceNotification] {
            await manager.finish()
            return messages.withLock { messages in
                defer { messages = [] }
                return messages
            }
        }
    }

    @Test("It is ready once every part listens, and only then", arguments: [false, true])
    func ready(adminFirst: Bool) async {
        let told = Told()
        let manager = ServiceManager(awaiting: [.proxy, .admin], deliver: told.deliver)
        manager.listens(adminFirst ? .admin : .proxy, status: "early")
        manager.reloads()
        manager.reloaded(status: "early")
        #expect(await told.take(manager) == [])
        manager.listens(adminFirst ? .proxy : .admin, status: "now")
        #expect(await told.take(manager) == [.ready(status: "now")])
        // A listener that a reload brings.
        manager.listens(.admin, status: "again")
        #expect(await told.take(manager) == [])
    }

    @Test("A reload has a beginning and an end")
    func reload() async {
        let told = Told()
        let manager = ServiceManager(awaiting: [.proxy], deliver: told.deliver)
        manager.listens(.proxy, status: "now")
        _ = await told.take(manager)
        manager.reloads()
        #expect(
            await told.take(manager) == [
                .reloading(monotonicMicroseconds: 0, status: "reading the configuration again")
            ]
        )
        manager.reloaded(status: "as before")
        #expect(await told.take(manager) == [.ready(status: "as before")])
    }

    @Test("It is never ready again once it stops, and still alive")
    func stop() async {
        let told = Told()
        let manager = ServiceManager(awaiting: [.proxy], deliver: told.deliver)
        manager.listens(.proxy, status: "now")
        manager.reloads()
        _ = await told.take(manager)
        manager.stops()
        manager.reloaded(status: "late")
        manager.listens(.admin, status: "late")
        manager.lives()
        #expect(await told.take(manager) == [.stopping(status: "finishing the requests in flight"), .watchdog])
    }
}
