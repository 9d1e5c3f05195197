import Synchronization

/// Knows that the servers of etcd are away: they have let a request's whole time go by, as those do that have stopped
/// while their connections stay. As long as that is known no request is sent to find it out anew. Whether one of them
/// answers again is asked all the time.
final class EtcdAbsence: Sendable {
    /// The time from the end of one question to the next one.
    private static let pause = Duration.milliseconds(200)

    private struct State {
        var reason: String?
        var isClosed = false
        var questions: Task<Void, Never>?
    }

    private let state = Mutex(State())

    /// The reason why a request is not to be sent; nil: as far as is known, they answer.
    var reason: String? { state.withLock { $0.reason } }

    /// Notes that the servers have let a request's whole time go by.
    /// - Parameter isOver: The question whether one of them answers again.
    func begin(_ reason: String, isOver: @escaping @Sendable () async -> Bool) {
        state.withLock { state in
            guard state.reason == nil, !state.isClosed else { return }
            state.reason = reason
            state.questions = Task { [self] in
                while await !isOver(), (try? await Task.sleep(for: Self.pause)) != nil {}
                self.state.withLock { $0.reason = nil }
            }
        }
    }

    /// Ends the questions.
    func close() {
        state.withLock { state in
            state.isClosed = true
            state.questions?.cancel()
        }
    }
}
