import Synchronization

/// The latest requests, for whoever looks on: kept only while somebody does, or where the configuration says that they
/// are kept always.
///
/// Asked by every event loop whether to record, which costs one load.
package final class RequestJournal: Sendable {
    /// An event in the life of a request, as an onlooker is told it.
    package enum Event: Sendable {
        /// The head has come.
        case begun(InspectedRequest)
        case ended(InspectedRequest)
    }

    private struct State {
        var requests: [InspectedRequest] = []
        var bytes = 0
        var lastSequence = 0
        var lastOnlooker = 0
        var onlookers: [Int: AsyncStream<Event>.Continuation] = [:]
        var inFlight: [Int: InspectedRequest] = [:]
        var lastBegun = 0
        var keeps = false
    }

    /// The number of requests that are kept.
    package static let mostRequests = 1_000
    /// The bytes that they may take together, roughly.
    package static let mostBytes = 8 << 20
    /// The number of requests in flight that are known.
    package static let mostInFlight = 1_000
    /// The number of events that wait for one onlooker; the oldest go first.
    private static let mostWaiting = 256
    /// The number of onlookers at once.
    package static let mostOnlookers = 32

    private let state = Mutex(State())
    private let recording = Atomic<Bool>(false)
    private let numbers = Atomic<Int>(0)

    package init() {}

    /// Indicates whether requests are recorded now.
    package var isRecording: Bool { recording.load(ordering: .relaxed) }

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
            state.requests.last { $0.id == id }
        }
    }

    /// The requests that have begun and not ended, oldest first, as far as they began while requests were recorded.
    package var inFlight: [InspectedRequest] {
        state.withLock { $0.inFlight.values.sorted { ($0.begun ?? 0) < ($1.begun ?? 0) } }
    }

    /// Notes that a request has begun.
    ///
    /// - Returns: The number that it has until it ends (``InspectedRequest/begun``); nil when it is not recorded, or
    ///   too many are in flight.
    package func begin(_ request: consuming InspectedRequest) -> Int? {
        let request = request
        return state.withLock { state in
            guard recording.load(ordering: .relaxed), state.inFlight.count < Self.mostInFlight else { return nil }
            var request = request
            state.lastBegun += 1
            request.begun = state.lastBegun
            state.inFlight[state.lastBegun] = request
            for onlooker in state.onlookers.values { onlooker.yield(.begun(request)) }
            return state.lastBegun
        }
    }

    /// Returns the requests that are kept and came after one, oldest first. Numbers are in the order in which they were
    /// given, not always in that of the requests' ends.
    package func requests(after id: Int) -> [InspectedRequest] {
        let requests = requests
        guard let index = requests.lastIndex(where: { $0.id == id }) else { return requests.filter { $0.id > id } }
        return Array(requests[(index + 1)...])
    }

    /// Returns a number for a request, counted from 1 on since the start of the process.
    package func newNumber() -> Int { numbers.add(1, ordering: .relaxed).newValue }

    package func append(_ request: consuming InspectedRequest) {
        let request = request
        state.withLock { state in
            guard recording.load(ordering: .relaxed) else { return }
            var request = request
            // The same as it was told of before, whatever the clocks' rounding makes of it now.
            if let time = request.begun.flatMap({ state.inFlight.removeValue(forKey: $0)?.time }) {
                request.time = time
            }
            if request.id == 0 { request.id = newNumber() }
            state.lastSequence += 1
            request.sequence = state.lastSequence
            state.requests.append(request)
            state.bytes += request.cost
            var surplus = 0
            while state.requests.count - surplus > Self.mostRequests || state.bytes > Self.mostBytes {
                state.bytes -= state.requests[surplus].cost
                surplus += 1
            }
            state.requests.removeFirst(surplus)
            for onlooker in state.onlookers.values { onlooker.yield(.ended(request)) }
        }
    }

    /// Returns the requests that begin and end from now on, for one onlooker, until its task is cancelled; nil when
    /// there are too many onlookers. Who is slow misses the oldest ones, which ``InspectedRequest/sequence`` tells.
    package func follow() -> AsyncStream<Event>? {
        state.withLock { state in
            guard state.onlookers.count < Self.mostOnlookers else { return nil }
            state.lastOnlooker += 1
            let id = state.lastOnlooker
            let (stream, continuation) = AsyncStream.makeStream(
                of: Event.self,
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
        recording.store(isRecording, ordering: .relaxed)
        guard !isRecording else { return }
        state.requests.removeAll()
        state.inFlight.removeAll()
        state.bytes = 0
    }
}
