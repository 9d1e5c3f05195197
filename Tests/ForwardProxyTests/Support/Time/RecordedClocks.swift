import Credentials
import Synchronization

/// A store of clocks in memory, which all of a test's replicas share.
final class RecordedClocks: SharedClocks {
    private struct State {
        var clocks: [String: RecordedClock] = [:]
        var watching: [AsyncStream<Void>.Continuation] = []
        var isAway = false
    }

    private let state = Mutex(State())

    /// Goes away, or comes back.
    func setAway(_ isAway: Bool) {
        let watching = state.withLock { state in
            state.isAway = isAway
            return state.watching
        }
        if !isAway { for one in watching { one.yield() } }
    }

    func writes(of api: String) -> Int64 { state.withLock { $0.clocks[api]?.writes ?? 0 } }

    func clockChanges(of api: String) async throws(VaultError) -> AsyncStream<Void> {
        let (changes, continuation) = AsyncStream<Void>.makeStream(bufferingPolicy: .bufferingNewest(1))
        state.withLock { $0.watching.append(continuation) }
        return changes
    }

    func clock(of api: String) async throws(VaultError) -> SharedClockReading {
        try state.withLock { state throws(VaultError) in
            guard !state.isAway else { throw .etcdUnavailable(etcd: "http://etcd.test:2379", reason: "no answer") }
            return state.clocks[api, default: RecordedClock()].read()
        }
    }

    func write(
        _ record: SharedClockRecord,
        of api: String,
        inPlaceOf reading: SharedClockReading
    ) async throws(VaultError) -> Int64? {
        let (revision, watching) = try state.withLock { state throws(VaultError) in
            guard !state.isAway else { throw .etcdUnavailable(etcd: "http://etcd.test:2379", reason: "no answer") }
            return (state.clocks[api, default: RecordedClock()].write(record, inPlaceOf: reading), state.watching)
        }
        if revision != nil { for one in watching { one.yield() } }
        return revision
    }
}
