@testable import CredentialStores
import Credentials
import Testing

@Suite("The progress of a watch of etcd")
struct EtcdWatchProgressTests {
    let unavailable = VaultError.etcdUnavailable(etcd: "etcd", reason: "no answer in time")
    let refused = VaultError.etcdRefused(etcd: "etcd", reason: "permission denied")
    let now = ContinuousClock.now

    @Test("The user is told of an interruption when every server has failed, and once; then that it goes on, once")
    func servers() {
        var progress = EtcdWatchProgress(serverCount: 3)
        let isTold1 = progress.noteBeginning()
        #expect(!isTold1)
        for isExpected in [false, false, true, false, false, false] {
            let isTold = progress.noteFailure(unavailable, at: now)
            #expect(isTold == isExpected)
        }
        let isTold2 = progress.noteBeginning()
        #expect(isTold2)
        let isTold3 = progress.noteBeginning()
        #expect(!isTold3)
        let isTold4 = progress.noteFailure(unavailable, at: now)
        #expect(!isTold4)
        let isTold5 = progress.noteBeginning()
        #expect(!isTold5)
    }

    @Test("What is refused is told at once, for other servers would refuse it, too")
    func refusal() {
        var progress = EtcdWatchProgress(serverCount: 3)
        let isTold1 = progress.noteFailure(unavailable, at: now)
        #expect(!isTold1)
        let isTold2 = progress.noteFailure(refused, at: now)
        #expect(isTold2)
        let isTold3 = progress.noteFailure(refused, at: now)
        #expect(!isTold3)
        let isTold4 = progress.noteBeginning()
        #expect(isTold4)
    }

    @Test("It is tried again ever less often, up to every second, and soon after it went on")
    func pauses() {
        var progress = EtcdWatchProgress(serverCount: 1)
        let pauses = (0..<8).map { _ in progress.pause() }
        #expect(pauses == [100, 200, 400, 800, 1_000, 1_000, 1_000, 1_000].map { .milliseconds($0) })
        _ = progress.noteBeginning()
        let pause = progress.pause()
        #expect(pause == .milliseconds(100))
    }

    @Test("The state has the revision that was told last, and since when and why nothing is")
    func state() {
        var states: [CredentialWatchState] = []
        var progress = EtcdWatchProgress(serverCount: 2) { states.append($0) }
        progress.noteTold(upTo: 7)
        _ = progress.noteFailure(unavailable, at: now)
        _ = progress.noteFailure(refused, at: now + .seconds(1))
        #expect(progress.state.revision == 7)
        #expect(progress.state.interruption == .init(since: now, reason: refused))
        progress.noteLoss()
        #expect(progress.state.revision == nil)
        _ = progress.noteBeginning()
        progress.noteTold(upTo: 9)
        #expect(progress.state.revision == 9)
        #expect(progress.state.interruption == nil)
        #expect(states.last == progress.state)
    }
}
