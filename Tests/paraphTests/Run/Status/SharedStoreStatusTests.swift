import AdminServer
import Credentials
import FoundationEssentials
import Testing

@testable import paraph

@Suite("The status of a store that replicas share")
struct SharedStoreStatusTests {
    private static let now = ServiceStatus.sampleTime
    private static let instant = ContinuousClock.now
    private static let failure = VaultError.etcdUnavailable(etcd: "e", reason: "no answer in time")

    private static func status(_ change: (inout SharedStoreState) -> Void) -> StoreStatus {
        var state = SharedStoreState()
        state.revision = 12
        state.records = 3
        change(&state)
        return StoreStatus(kind: .etcd, name: "n", failure: nil, state, now: now, instant: instant)
    }

    private static func watch(_ revision: Int64?, interruptedFor time: Duration? = nil) -> CredentialWatchState {
        var watch = CredentialWatchState()
        watch.revision = revision
        watch.interruption = time.map { CredentialWatchState.Outage(since: instant - $0, reason: failure) }
        return watch
    }

    @Test("A directory has a name alone")
    func directory() {
        let status = StoreStatus(
            kind: .directory,
            name: "state/vault",
            failure: nil,
            nil,
            now: Self.now,
            instant: Self.instant
        )
        #expect(status == StoreStatus(kind: .directory, name: "state/vault"))
        #expect(status.reachable)
    }

    @Test("While changes are seen there is no lag: what was not told is others' in the same etcd")
    func seen() {
        let status = Self.status { $0.watch = Self.watch(9) }
        #expect(status.revision == 12)
        #expect(status.records == 3)
        #expect(status.seenRevision == 9)
        #expect(status.lagRevisions == 0)
        #expect(status.lagSeconds == 0)
        #expect(status.interruptedSince == nil)
    }

    @Test("Before the first one is seen, it is not known", arguments: [false, true])
    func unknown(isWatched: Bool) {
        let status = Self.status { $0.watch = isWatched ? Self.watch(nil) : nil }
        #expect(status.seenRevision == nil)
        #expect(status.lagRevisions == nil)
        #expect(status.lagSeconds == nil)
    }

    @Test("While they are not, since when, why, and how many revisions at most")
    func interrupted() {
        let status = Self.status { $0.watch = Self.watch(9, interruptedFor: .seconds(61)) }
        #expect(status.lagRevisions == 3)
        #expect(status.lagSeconds == 61)
        #expect(status.interruptedSince == Self.now - 61)
        #expect(status.interruption == "\(Self.failure)")
        let lost = Self.status { $0.watch = Self.watch(nil, interruptedFor: .seconds(61)) }
        #expect(lost.lagRevisions == nil)
        #expect(lost.lagSeconds == 61)
    }

    @Test("Turns with the names that are known")
    func turns() {
        let status = Self.status {
            $0.turns = [
                .init(name: CredentialName(api: "x", account: "alice"), holder: "one"),
                .init(name: nil, holder: "other"),
            ]
            $0.turnsLeftOut = 4
        }
        #expect(
            status.turns == [
                TurnStatus(api: "x", account: "alice", holder: "one"),
                TurnStatus(api: nil, account: nil, holder: "other"),
            ]
        )
        #expect(status.turnsLeftOut == 4)
    }
}
