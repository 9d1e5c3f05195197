import Testing

@testable import ForwardProxy

@Suite("The exchanges in flight of one worker")
struct ExchangesInFlightTests {
    private final class Calls {
        var count = 0
    }

    private let calls = Calls()

    @Test("tell nothing before the worker is retired")
    func inUse() {
        var exchanges = ExchangesInFlight()
        exchanges.began()
        let hasNews = exchanges.ended() != nil
        #expect(!hasNews)
    }

    @Test("tell at once that there are none")
    func unused() {
        var exchanges = ExchangesInFlight()
        let onUnused = exchanges.retire { [calls] in calls.count += 1 }
        onUnused?()
        #expect(calls.count == 1)
    }

    @Test("tell once that the last is over")
    func last() {
        var exchanges = ExchangesInFlight()
        exchanges.began()
        exchanges.began()
        let atOnce = exchanges.retire { [calls] in calls.count += 1 }
        let ends = [exchanges.ended(), exchanges.ended()]
        let hasNews = [atOnce != nil, ends[0] != nil, ends[1] != nil]
        #expect(hasNews == [false, false, true])
        ends[1]?()
        #expect(calls.count == 1)
        exchanges.began()
        let isToldAgain = exchanges.ended() != nil
        #expect(!isToldAgain)
    }
}
