import ProviderSimulator
import Testing
import TestSupport

@Suite(.generousLimit, .timed) struct ProviderLedgerTests {
    private let unsigned = ReceivedRequest(method: "GET", target: "/", authority: "api.test")

    @Test func `the latest events are kept and all are counted`() {
        let ledger = ProviderLedger(limit: 4)
        let provider = OAuthProvider(settings: ProviderSettings(realm: "r", clients: []), ledger: ledger)
        for _ in 1...21 { _ = provider.answer(unsigned, now: 0) }
        #expect(ledger.count == 21)
        #expect(ledger.events.count >= 4)
        #expect(ledger.events.count <= 8)
        #expect(ledger.events.last?.number == 21)
    }

    @Test func `listeners get each event from then on`() async {
        let provider = OAuthProvider(settings: ProviderSettings(realm: "r", clients: []))
        _ = provider.answer(unsigned, now: 0)
        let events = provider.ledger.newEvents()
        for _ in 1...3 { _ = provider.answer(unsigned, now: 0) }
        var numbers: [Int] = []
        for await event in events {
            numbers.append(event.number)
            if numbers.count == 3 { break }
        }
        #expect(numbers == [2, 3, 4])
    }
}
