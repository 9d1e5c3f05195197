import Synchronization

/// Runs what is asynchronous by its signature and never waits.
enum Immediately {
    private final class Box<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    static func run<Value: Sendable>(_ operation: @escaping @Sendable () async -> Value) -> Value {
        let box = Box<Value>()
        Task.immediate {
            let value = await operation()
            box.value.withLock { $0 = value }
        }
        guard let value = box.value.withLock({ $0 }) else { fatalError("it has waited") }
        return value
    }
}
