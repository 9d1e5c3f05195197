import Synchronization

/// The answers of one listener that last for as long as it does: ended when it is to end.
final class ListenerStreams: Sendable {
    private struct State {
        /// The functions that end the answers, by their numbers; nil once the listener has ended.
        var ends: [Int: @Sendable () -> Void]? = [:]
        var lastID = 0
    }

    /// An answer, until it is removed.
    struct Registration: Sendable {
        fileprivate let streams: ListenerStreams
        fileprivate let id: Int

        func remove() {
            streams.state.withLock { $0.ends?[id] = nil }
        }
    }

    private let state = Mutex(State())

    /// - Parameter end: Called once when the listener ends; at once where it has ended already.
    func add(_ end: @escaping @Sendable () -> Void) -> Registration {
        let (id, isOver) = state.withLock { state in
            state.lastID += 1
            state.ends?[state.lastID] = end
            return (state.lastID, state.ends == nil)
        }
        if isOver { end() }
        return Registration(streams: self, id: id)
    }

    /// Ends them all, and those that come later.
    func end() {
        let ends = state.withLock { state in
            defer { state.ends = nil }
            return state.ends
        }
        for end in (ends ?? [:]).values { end() }
    }
}
