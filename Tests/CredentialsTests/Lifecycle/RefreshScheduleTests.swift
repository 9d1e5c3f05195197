import Credentials
import Testing

@Suite("When a token is refreshed")
struct RefreshScheduleTests {
    @Test(
        "At 80 to 90 % of its life, by the jitter, and half a minute before its end where it lives long enough",
        arguments: [
            (3_600, 0.0, 2_880), (3_600, 0.5, 3_060), (3_600, 1.0, 3_240), (86_400, 0.0, 69_120), (300, 1.0, 270),
            (200, 1.0, 170), (200, 0.0, 151), (61, 1.0, 31), (60, 0.0, 48), (60, 1.0, 54), (10, 0.0, 8), (10, 1.0, 9),
            (1, 0.5, 0),
        ] as [(UInt64, Double, UInt64)]
    )
    func refresh(life: UInt64, jitter: Double, after: UInt64) {
        let times = RefreshSchedule.times(now: 1_000, expiresAt: 1_000 + life, jitter: jitter)
        #expect(times.refreshAfter == after)
        #expect(times.expireAfter == life)
    }

    @Test("Never after the end, and never at once unless there is no time", arguments: 2...400)
    func bounds(life: UInt64) {
        for jitter in [0, 0.25, 0.999] {
            let times = RefreshSchedule.times(now: 7, expiresAt: 7 + life, jitter: jitter)
            #expect(times.refreshAfter > 0 || life == 1)
            #expect(times.refreshAfter < life)
            if life > 60 { #expect(life - times.refreshAfter >= 30) }
        }
    }

    @Test("A token that is over is due at once; one that never is, in a time that can be reckoned with")
    func extremes() {
        #expect(RefreshSchedule.times(now: 10, expiresAt: 10, jitter: 0.5) == (0, 0))
        #expect(RefreshSchedule.times(now: 10, expiresAt: 0, jitter: 0.5) == (0, 0))
        let never = RefreshSchedule.times(now: 0, expiresAt: .max, jitter: 0.999)
        #expect(!never.expireAfter.multipliedReportingOverflow(by: 4_000_000_000).overflow)
        #expect(never.refreshAfter > 2_000_000_000)
    }
}
