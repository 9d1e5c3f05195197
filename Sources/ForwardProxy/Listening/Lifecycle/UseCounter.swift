import Synchronization

/// Calls a function when the last of several users has let go.
final class UseCounter: Sendable {
    private let count: Mutex<Int>
    private let onUnused: @Sendable () -> Void

    init(count: Int, onUnused: @escaping @Sendable () -> Void) {
        self.count = Mutex(count)
        self.onUnused = onUnused
    }

    @Sendable func release() {
        let isUnused = count.withLock { count in
            count -= 1
            return count == 0
        }
        if isUnused { onUnused() }
    }
}
