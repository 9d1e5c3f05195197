import Testing

@testable import ForwardProxy

@Suite("The phases of a keeper of tokens")
struct TokenKeeperStateTests {
    @Test("It is asked, finishes, and stops")
    func phases() {
        var state = TokenKeeper.State()
        #expect(!state.isFinishing && !state.hasStopped)
        state.finish()
        #expect(state.isFinishing && !state.hasStopped)
        let waits = state.stop()
        #expect(waits.isEmpty && state.isFinishing && state.hasStopped)
        state.finish()
        #expect(state.hasStopped)
    }

    @Test("One writes at a time, also when that was begun before the end", arguments: [true, false])
    func writes(finishesMeanwhile: Bool) {
        var state = TokenKeeper.State()
        if !finishesMeanwhile { state.finish() }
        let isFirst = state.beginWriting()
        if finishesMeanwhile { state.finish() }
        let isSecond = state.beginWriting()
        state.endWriting()
        let isNext = state.beginWriting()
        #expect(isFirst && !isSecond && isNext)
    }

    @Test("Nothing is written by one that has stopped")
    func stopped() {
        var state = TokenKeeper.State()
        _ = state.stop()
        state.endWriting()
        let isBegun = state.beginWriting()
        #expect(!isBegun && state.hasStopped)
    }
}
