import Testing

@testable import CredentialStores

@Suite("Time in which this process did not run")
struct StandstillTests {
    @Test("A timer that is late by a little is late by load, and one by much by a standstill")
    func lateness() {
        let end = ContinuousClock.now
        #expect(!Standstill.hasDelayed(end, now: end - .seconds(5)))
        #expect(!Standstill.hasDelayed(end, now: end + .milliseconds(900)))
        #expect(Standstill.hasDelayed(end, now: end + .milliseconds(1_100)))
    }

    @Test("A sleep lasts as long as it is told to")
    func sleeps() async throws {
        let begin = ContinuousClock.now
        try await Standstill.sleep(for: .milliseconds(1))
        let elapsed = ContinuousClock.now - begin
        #expect(elapsed >= .milliseconds(1))
    }
}
