import Synchronization

/// The latest requests, for whoever looks on: kept only while somebody does, or where the configuration says that they
/// are kept always.
///
/// Asked by every event loop whether to record, which costs one load.
package final class RequestJournal: Sendable {
    private struct State {
        var requests: [InspectedRequest] = []
        var bytes = 0
        var lastID = 0
        var lastOnlooker = 0
        var onlookers: [Int: AsyncStream<InspectedRequest>.Continuation] = [:]
        var keeps = false
    }

    /// The number of requests that are kept.
    package static let mostRequests = 1_000
    /// The bytes that they may take together, roughly.
    package static let mostBytes = 8 << 20
    /// The number of requests that wait for one onlooker; the oldest go first.
    private static let mostWaiting = 256
    /// The number of onlookers at once.
    package static let mostOnlookers = 32

    private let state = Mutex(State())
    private let records = Atomic<Bool>(false)

    package init() {}

    /// Indicates whether requests are recorded now.
    package var isRecording: Bool { records.load(ordering: .relaxed) }

    /// Sets whether requests are kept though nobody looks on (`inspector.keep`).
    package func keep(_ keeps: Bool) {
        state.withLock { state in
            state.keeps = keeps
            settle(&state)
        }
    }

    /// The requests that are kept, oldest first.
    package var requests: [InspectedRequest] { state.withLock { $0.requests } }

    /// Returns a request that is kept; nil when there is none of this number, or no more.
    package func request(_ id: Int) -> InspectedRequest? {
        state.withLock { state in
            guard let first = state.requests.first, id >= first.id, id - first.id < state.requests.count else {
                return nil
            }
            return state.requests[id - first.id]
        }
    }

    package func append(_ request: consuming InspectedRequest) {
        let request = request
        state.withLock { state in
            guard records.load(ordering: .relaxed) else { return }
            var request = request
            state.lastID += 1
            request.id = state.lastID
            state.requests.append(request)
            state.bytes += request.cost
            var surplus = 0
            while state.requests.count - surplus > Self.mostRequests || state.bytes > Self.mostBytes {
                state.bytes -= state.requests[surplus].cost
                surplus += 1
            }
            state.requests.removeFirst(surplus)
            for onlooker in state.onlookers.values { onlooker.yield(request) }
        }
    }

    /// Returns the requests that end from now on, for one onlooker, until its task is cancelled; nil when there are too
    /// many onlookers. Who is slow misses the oldest ones, which their numbers tell.
    package func follow() -> AsyncStream<InspectedRequest>? {
        state.withLock { state in
            guard state.onlookers.count < Self.mostOnlookers else { return nil }
            state.lastOnlooker += 1
            let id = state.lastOnlooker
            let (stream, continuation) = AsyncStream.makeStream(
                of: InspectedRequest.self,
                bufferingPolicy: .bufferingNewest(Self.mostWaiting)
            )
            state.onlookers[id] = continuation
            settle(&state)
            continuation.onTermination = { [weak self] _ in self?.leave(id) }
            return stream
        }
    }

    private func leave(_ id: Int) {
        state.withLock { state in
            state.onlookers[id] = nil
            settle(&state)
        }
    }

    /// Begins or ends recording. What was recorded while somebody looked on is not kept after that.
    private func settle(_ state: inout State) {
        let isRecording = state.keeps || !state.onlookers.isEmpty
        records.store(isRecording, ordering: .relaxed)
        guard !isRecording else { return }
        state.requests.removeAll()
        state.bytes = 0
    }
}
