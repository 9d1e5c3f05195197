import Testing

@testable import ForwardProxy

@Suite("The peak of connections")
struct ConnectionPeakTests {
    @Test("When three of four have ended it is told once, and again after the next peak")
    func tellsOnce() {
        var peak = ConnectionCounter.Peak()
        #expect(told(&peak, 1...4000).isEmpty)
        #expect(told(&peak, (0..<4000).reversed()) == [1000, 250])
        #expect(told(&peak, 1...1200).isEmpty)
        #expect(told(&peak, (0..<1200).reversed()) == [300])
    }

    @Test("Few connections come and go without a word")
    func ignoresFew() {
        var peak = ConnectionCounter.Peak()
        let few = ConnectionCounter.Peak.many - 1
        #expect(told(&peak, Array(1...few) + (0..<few).reversed()).isEmpty)
    }

    @Test("Connections that come and go while most stay are no end of a peak")
    func ignoresChange() {
        var peak = ConnectionCounter.Peak()
        #expect(told(&peak, 1...2000).isEmpty)
        #expect(told(&peak, Array((501..<2000).reversed()) + Array(501..<2000)).isEmpty)
    }

    private func told(_ peak: inout ConnectionCounter.Peak, _ counts: some Sequence<Int>) -> [Int] {
        counts.filter { peak.note($0) }
    }
}
