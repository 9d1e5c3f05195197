import Testing

@testable import ForwardProxy

@Suite("The count of client connections")
struct ConnectionCounterTests {
    private let counter = ConnectionCounter {}

    private func place() -> ConnectionCounter.Place? {
        guard case .surplus(let place) = counter.arrive(limit: 2) else { return nil }
        return place
    }

    private func isAdmitted() -> Bool {
        if case .admitted = counter.arrive(limit: 2) { true } else { false }
    }

    private func isTurnedAway() -> Bool {
        if case .turnedAway = counter.arrive(limit: 2) { true } else { false }
    }

    @Test("As many as the limit are admitted, some more are told so, and no more than that")
    func bounds() throws {
        #expect(isAdmitted())
        #expect(isAdmitted())
        let places = try (0..<64).map { _ in try #require(place()) }
        #expect(isTurnedAway())
        counter.leave(places[0])
        #expect(place() != nil)
        #expect(isTurnedAway())
        // An admitted connection gets no place beyond the limit for those that wait.
        counter.leave()
        #expect(isAdmitted())
        #expect(isTurnedAway())
    }

    @Test("One that waits is admitted where there is room, or where somebody is about to leave")
    func admits() throws {
        #expect(isAdmitted())
        #expect(isAdmitted())
        let first = try #require(place())
        let second = try #require(place())
        #expect(!counter.admit(first, limit: 2))
        counter.leave()
        #expect(counter.admit(first, limit: 2))
        #expect(!counter.admit(first, limit: nil))
        #expect(!counter.admit(second, limit: 2))
        #expect(counter.admit(second, limit: nil))
        counter.leave(first)
        #expect(!isAdmitted())
        counter.leave(second)
        #expect(isAdmitted())
    }

    @Test("One that has left is admitted no more")
    func forgetsGone() throws {
        for _ in 0..<2 { #expect(isAdmitted()) }
        let gone = try #require(place())
        counter.leave(gone)
        #expect(!counter.admit(gone, limit: nil))
    }
}
