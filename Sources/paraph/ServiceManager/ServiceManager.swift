import Dispatch
import Glibc
import Logging
import Synchronization
import SystemPackage

/// Tells the service manager that started the process how far it is.
///
/// 1. The listeners open, one after the other. When the last one has, the process is ready.
/// 2. A reload begins, and ends by the process being ready again, whether its configuration was taken or not.
/// 3. The process stops. It is never ready again.
final class ServiceManager: Sendable {
    /// A part that must listen before the process is ready.
    enum Part {
        case proxy
        case admin
    }

    private enum State {
        case starting(awaited: Set<Part>)
        case serving
        case stopping
    }

    private let state: Mutex<State>
    private let deliver: @Sendable (ServiceNotification) -> Void
    /// The queue on which messages are delivered: a manager that takes none holds up nothing else.
    private let queue = DispatchQueue(label: "paraph.service-manager")

    /// - Parameters:
    ///   - awaited: The parts that must listen before the process is ready.
    ///   - deliver: Sends a message; is called for one after the other, and may wait.
    init(awaiting awaited: Set<Part>, deliver: @escaping @Sendable (ServiceNotification) -> Void) {
        state = Mutex(.starting(awaited: awaited))
        self.deliver = deliver
    }

    /// - Parameter socket: `NOTIFY_SOCKET`; nil: nobody is told anything.
    convenience init(awaiting awaited: Set<Part>, socket: String?, logger: Logger) {
        self.init(awaiting: awaited, deliver: ServiceManager.delivery(to: socket, logger))
    }

    private static func delivery(to text: String?, _ logger: Logger) -> @Sendable (ServiceNotification) -> Void {
        guard let text else { return { _ in } }
        guard let socket = NotificationSocket(text) else {
            logger.warning(
                "the service manager is told nothing: NOTIFY_SOCKET is neither a path from the root nor an abstract name",
                metadata: ["socket": "\(text)"]
            )
            return { _ in }
        }
        return { notification in
            do throws(Errno) {
                try socket.send(notification.bytes)
            } catch {
                logger.warning(
                    "the service manager could not be told",
                    metadata: ["socket": "\(text)", "reason": "\(error)"]
                )
            }
        }
    }

    /// A part listens.
    /// - Parameter status: The status that is told when nothing is awaited any more.
    func listens(_ part: Part, status: @autoclosure () -> String) {
        state.withLock { state in
            guard case .starting(var awaited) = state else { return }
            awaited.remove(part)
            state = awaited.isEmpty ? .serving : .starting(awaited: awaited)
            if awaited.isEmpty { send(.ready(status: status())) }
        }
    }

    /// Reports the beginning of a reload, unless the start or the end of the process is what the manager waits for.
    func reloads() {
        state.withLock { state in
            guard case .serving = state else { return }
            send(.reloading(monotonicMicroseconds: Self.monotonicTime, status: "reading the configuration again"))
        }
    }

    /// Reports the end of a reload, with the outcome in its status.
    func reloaded(status: String) {
        state.withLock { state in
            guard case .serving = state else { return }
            send(.ready(status: status))
        }
    }

    /// No new connection is served any more.
    func stops() {
        state.withLock { state in
            state = .stopping
            send(.stopping(status: "finishing the requests in flight"))
        }
    }

    /// Keeps the watchdog of the manager from ending the process: the event loops are alive.
    func lives() {
        state.withLock { _ in send(.watchdog) }
    }

    /// Returns once all that was said so far has been delivered.
    func finish() async {
        await withCheckedContinuation { continuation in
            queue.async { continuation.resume() }
        }
    }

    private func send(_ notification: ServiceNotification) {
        queue.async { [deliver] in deliver(notification) }
    }

    private static var monotonicTime: UInt64 {
        var time = timespec()
        clock_gettime(CLOCK_MONOTONIC, &time)
        return UInt64(time.tv_sec) * 1_000_000 + UInt64(time.tv_nsec) / 1_000
    }
}
