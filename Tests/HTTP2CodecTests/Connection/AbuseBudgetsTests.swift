import Testing

@testable import HTTP2Codec

@Suite struct AbuseBudgetsTests {
    private func makeBudgets() -> AbuseBudgets {
        var limits = HTTP2Limits()
        limits.abandonedStreams = 2
        limits.abandonedStreamsPerSecond = 1
        limits.idleFrames = 8
        limits.idleFramesPerSecond = 2
        limits.waitingAnswers = 1
        return AbuseBudgets(limits)
    }

    /// Spends until the bound is reached.
    private func spendAll(
        _ budgets: inout AbuseBudgets,
        _ spend: (inout AbuseBudgets) throws(HTTP2ConnectionError) -> Void
    ) -> (count: Int, error: HTTP2ConnectionError?) {
        for count in 0..<100 {
            do throws(HTTP2ConnectionError) {
                try spend(&budgets)
            } catch {
                return (count, error)
            }
        }
        return (100, nil)
    }

    private func spendIdleFrames(_ budgets: inout AbuseBudgets) -> Int {
        spendAll(&budgets) { budgets throws(HTTP2ConnectionError) in try budgets.spendIdleFrame(.ping) }.count
    }

    private func spendAbandonedStreams(_ budgets: inout AbuseBudgets) -> Int {
        spendAll(&budgets) { budgets throws(HTTP2ConnectionError) in try budgets.spendAbandonedStream() }.count
    }

    @Test func `Each bound has its error, which names the last idle frame`() {
        var budgets = makeBudgets()
        let idle = spendAll(&budgets) { budgets throws(HTTP2ConnectionError) in try budgets.spendIdleFrame(.ping) }
        #expect(idle.count == 8)
        #expect(idle.error == .tooManyIdleFrames(.ping))
        let abandoned = spendAll(&budgets) { budgets throws(HTTP2ConnectionError) in
            try budgets.spendAbandonedStream()
        }
        #expect(abandoned.count == 2)
        #expect(abandoned.error == .tooManyAbandonedStreams)
        let waiting = spendAll(&budgets) { budgets throws(HTTP2ConnectionError) in try budgets.addWaitingAnswer() }
        #expect(waiting.count == 1)
        #expect(waiting.error == .tooManyWaitingAnswers)
    }

    @Test func `Answers wait no more once the output is taken`() {
        var budgets = makeBudgets()
        for _ in 0..<5 {
            #expect(throws: Never.self) { try budgets.addWaitingAnswer() }
            budgets.outputTaken()
        }
    }

    @Test func `A stream that completes takes off one that was abandoned, and idle frames`() {
        var budgets = makeBudgets()
        #expect(spendAbandonedStreams(&budgets) == 2)
        #expect(spendIdleFrames(&budgets) == 8)
        // The frames that went beyond the bounds were counted as well.
        budgets.streamCompleted()
        budgets.streamCompleted()
        #expect(spendAbandonedStreams(&budgets) == 1)
        #expect(spendIdleFrames(&budgets) == 8)
    }

    @Test func `Data that passes takes off idle frames, 64 bytes for each`() {
        var budgets = makeBudgets()
        #expect(spendIdleFrames(&budgets) == 8)
        budgets.dataPassed(64 * 4 + 63)
        #expect(spendIdleFrames(&budgets) == 3)
        budgets.dataSentAtOnce()
        #expect(spendIdleFrames(&budgets) == 1)
        #expect(spendAbandonedStreams(&budgets) == 2)
    }

    @Test func `Time takes off both`() {
        var budgets = makeBudgets()
        #expect(spendAbandonedStreams(&budgets) == 2)
        #expect(spendIdleFrames(&budgets) == 8)
        budgets.tick(seconds: 2)
        #expect(spendAbandonedStreams(&budgets) == 1)
        #expect(spendIdleFrames(&budgets) == 3)
    }

    @Test func `A budget is spent and restored between nothing and its limit`() {
        var budget = ProgressBudget(limit: 2, perSecond: 3)
        #expect([budget.spend(), budget.spend(), budget.spend()] == [true, true, false])
        budget.restore(2)
        #expect(budget.used == 1)
        budget.restore(100)
        #expect(budget.used == 0)
        for _ in 0..<5 { _ = budget.spend() }
        budget.tick(seconds: 1)
        #expect(budget.used == 2)
    }
}
