import NIOCore
import NIOEmbedded
import Testing

@testable import ForwardProxy

@Suite("A wait for a token ends once")
final class TokenWaitEndTests {
    private let clock = EmbeddedClock()
    private let wait: TokenWait
    private var completions = 0
    private var givenUp = 0

    init() {
        let budget = SharedBudget()
        let usage = ClientUsage(name: "test", connections: budget, places: budget, surplus: budget, memory: budget)
        wait = TokenWait(of: TokenClient(usage: usage, address: nil), for: .seconds(5))
    }

    private func start() -> TokenWait.Completion {
        wait.limited(by: clock, on: clock.loop) { [self] _ in completions += 1 }
    }

    private func standInLine(wasUnderWay: Bool = false) {
        wait.begin(wasUnderWay: wasUnderWay) { [self] in givenUp += 1 }
    }

    @Test("with the token, whose place is not given up then", arguments: [true, false])
    func completes(wasUnderWay: Bool) {
        let complete = start()
        standInLine(wasUnderWay: wasUnderWay)
        complete(nil)
        complete(nil)
        wait.cancel()
        clock.loop.advanceTime(by: .seconds(9))
        #expect(completions == 1 && givenUp == 0)
        #expect(wait.isForOthersExchange == wasUnderWay)
    }

    @Test("when its time is over, and gives its place up", arguments: [true, false])
    func expires(isInLine: Bool) {
        let complete = start()
        if isInLine { standInLine() }
        clock.loop.advanceTime(by: .seconds(5))
        complete(nil)
        wait.cancel()
        #expect(completions == 1 && givenUp == (isInLine ? 1 : 0))
    }

    @Test("when it is cancelled, and nobody hears of it", arguments: [true, false])
    func cancelled(isInLine: Bool) {
        let complete = start()
        if isInLine { standInLine() }
        wait.cancel()
        complete(nil)
        clock.loop.advanceTime(by: .seconds(9))
        #expect(completions == 0 && givenUp == (isInLine ? 1 : 0))
    }

    @Test("and takes no place afterwards")
    func takesNoPlace() {
        _ = start()
        wait.cancel()
        standInLine(wasUnderWay: true)
        #expect(givenUp == 1 && !wait.isForOthersExchange)
    }
}
