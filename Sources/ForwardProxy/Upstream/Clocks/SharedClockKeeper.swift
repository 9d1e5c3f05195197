import Credentials
import Logging
import Settings

/// Carries out what ``ClockSharingStateMachine`` says, for one API of one configuration. No request waits for it.
struct SharedClockKeeper {
    let api: APIContext
    let store: any SharedClocks
    let logger: Logger
    /// Answers are put off by a random part of it, so that of many replicas few write in vain. As long is waited before the
    /// next change is looked at.
    var spread = Duration.milliseconds(50)
    /// The time after which a store that is away is asked again: at first, and then each time twice as long, up to 16 of
    /// them. There may be a thousand APIs, and others have to ask it, too.
    var retryPause = Duration.seconds(1)
    /// The time for which what was learnt is in use before others are told. A provider whose answers have another clock than
    /// the one that it checks by refuses that, too.
    var probation = Duration.seconds(1)

    private var name: String { api.settings.name }

    /// Shares the clock until the task is cancelled, or a later configuration does.
    func run() async {
        let run = api.clock.sharing.begin(by: store)
        await withDiscardingTaskGroup { tasks in
            tasks.addTask { await watch(run) }
            var nextTime: ContinuousClock.Instant?
            for await _ in run.wakes {
                if let time = await settle(run), time != nextTime {
                    nextTime = time
                    tasks.addTask {
                        try? await Task.sleep(until: time, clock: .continuous)
                        run.wake()
                    }
                }
                try? await Task.sleep(for: spread)
            }
            tasks.cancelAll()
        }
    }

    private func watch(_ run: ClockSharing.Session) async {
        var pauses = RetryPauses(first: retryPause)
        while !Task.isCancelled {
            do throws(VaultError) {
                let changes = try await store.clockChanges(of: name)
                // What changed before was not told.
                run.wake()
                for await _ in changes { run.wake() }
            } catch {
                // Why, the vault's watch tells.
                try? await Task.sleep(for: pauses.next())
            }
        }
    }

    /// Does what there is to be done. Returns the time at which there is more to do; nil: not before something changes.
    private func settle(_ run: ClockSharing.Session) async -> ContinuousClock.Instant? {
        var isPutOff = false
        var pauses = RetryPauses(first: retryPause)
        while !Task.isCancelled, run.isGoingOn {
            let tellingTime = run.tellLearnt(after: probation)
            do throws(VaultError) {
                let begin = ContinuousClock.now
                let reading = try await store.clock(of: name)
                let estimate = ClockSharingStateMachine.Estimate(
                    machine: api.clock.machineSeconds,
                    offset: api.clock.knownOffset,
                    isOnProbation: run.isOnProbation
                )
                switch run.event({ $0.read(reading, estimate, from: begin, at: .now) }) {
                case nil, .rest: return tellingTime
                case .restUntil(let time): return tellingTime.map { min($0, time) } ?? time
                case .answer where !isPutOff && spread > .zero:
                    // The time is read anew then.
                    isPutOff = true
                    try? await Task.sleep(for: spread * Double.random(in: 0..<1))
                case .write(let record), .answer(let record):
                    // Otherwise somebody else was quicker, and it is decided anew.
                    if let revision = try await store.write(record, of: name, inPlaceOf: reading) {
                        _ = run.event { $0.wrote(record, at: revision, .now) }
                    }
                case .take(let offset):
                    if !api.takeClock(offset, logger) { _ = run.event { $0.refused() } }
                case .drop(let offset, let before):
                    api.dropClock(offset, before: before, logger)
                }
            } catch {
                try? await Task.sleep(for: pauses.next())
            }
        }
        return nil
    }
}
