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

        func take() -> [ServiceNotification] {
            messages.withLock { messages in
                defer { messages = [] }
                return messages
            }
        }
    }

    @Test("It is ready once every part listens, and only then", arguments: [false, true])
    func ready(adminFirst: Bool) {
        let told = Told()
        let manager = ServiceManager(awaiting: [.proxy, .admin], deliver: told.deliver)
        manager.listens(adminFirst ? .admin : .proxy, status: "early")
        manager.reloads()
        manager.reloaded(status: "early")
        #expect(told.take() == [])
        manager.listens(adminFirst ? .proxy : .admin, status: "now")
        #expect(told.take() == [.ready(status: "now")])
        // A listener that a reload brings.
        manager.listens(.admin, status: "again")
        #expect(told.take() == [])
    }

    @Test("A reload has a beginning and an end")
    func reload() {
        let told = Told()
        let manager = ServiceManager(awaiting: [.proxy], deliver: told.deliver)
        manager.listens(.proxy, status: "now")
        _ = told.take()
        manager.reloads()
        #expect(
            told.take() == [.reloading(monotonicMicroseconds: 0, status: "reading the configuration again")]
        )
        manager.reloaded(status: "as before")
        #expect(told.take() == [.ready(status: "as before")])
    }

    @Test("It is never ready again once it stops, and still alive")
    func stop() {
        let told = Told()
        let manager = ServiceManager(awaiting: [.proxy], deliver: told.deliver)
        manager.listens(.proxy, status: "now")
        manager.reloads()
        _ = told.take()
        manager.stops()
        manager.reloaded(status: "late")
        manager.listens(.admin, status: "late")
        manager.lives()
        #expect(told.take() == [.stopping(status: "finishing the requests in flight"), .watchdog])
    }
}
