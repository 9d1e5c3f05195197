import FoundationEssentials
import Synchronization

/// The events that a watch has read of a server and nobody has asked for yet: of each key the last one, since what was
/// before is of no interest any more. So whoever was stopped for a while, or takes long, is soon up to date.
final class WatchBacklog: Sendable {
    /// Bytes of keys and values beyond which no more is read until some are asked for.
    private static let limit = 8 << 20

    private struct State {
        var hasBegun = false
        var events: [Data: EtcdWatch.Event] = [:]
        var bytes = 0
        var end: EtcdClient.WatchEnd?
    }

    private let state = Mutex(State())
    private let addition: AsyncStream<Void>.Continuation
    private let removal: AsyncStream<Void>.Continuation
    /// A signal that there is something to be taken.
    let additions: AsyncStream<Void>
    /// A signal that something was taken.
    let removals: AsyncStream<Void>

    init() {
        (additions, addition) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
        (removals, removal) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    var isFull: Bool { state.withLock { $0.bytes > Self.limit } }

    func begin() {
        state.withLock { $0.hasBegun = true }
        addition.yield()
    }

    func add(_ events: [EtcdWatch.Event]) {
        guard !events.isEmpty else { return }
        state.withLock { state in
            for event in events {
                let earlier = state.events.updateValue(event, forKey: event.kv.key.data)
                state.bytes += event.byteCount - (earlier?.byteCount ?? 0)
            }
        }
        addition.yield()
    }

    func end(by reason: EtcdClient.WatchEnd) {
        state.withLock { $0.end = reason }
        addition.yield()
    }

    /// Takes all that there is.
    ///
    /// - Returns: Events in the order of their revisions; nil: nothing has come yet.
    /// - Throws: When there is nothing any more.
    func take() throws(EtcdClient.WatchEnd) -> EtcdClient.WatchResult? {
        let (hasBegun, events, end) = state.withLock { state in
            if state.hasBegun {
                state.hasBegun = false
                return (true, [EtcdWatch.Event](), nil as EtcdClient.WatchEnd?)
            }
            defer { (state.events, state.bytes) = ([:], 0) }
            return (false, Array(state.events.values), state.end)
        }
        if hasBegun { return .begun }
        guard events.isEmpty else {
            removal.yield()
            return .events(events.sorted { $0.revision < $1.revision })
        }
        if let end { throw end }
        return nil
    }
}

extension EtcdWatch.Event {
    fileprivate var byteCount: Int { kv.key.data.count + (kv.value?.data.count ?? 0) }
    fileprivate var revision: Int64 { kv.modRevision?.value ?? 0 }
}
