import NIOCore
import NIOEmbedded
import Synchronization
import Testing

@testable import ForwardProxy

@Suite("An exchange's hold on its upstream")
struct ExchangeUpstreamTests {
    private func usage() -> ClientUsage {
        let budget = SharedBudget()
        return ClientUsage(name: "test", connections: budget, places: budget, surplus: budget, memory: budget)
    }

    @Test("gives up the wait for a token")
    func token() {
        let wait = TokenWait(of: TokenClient(usage: usage(), address: nil), for: .seconds(1))
        let clock = EmbeddedClock()
        _ = wait.limited(by: clock, on: clock.loop) { _ in }
        var givenUp = 0
        wait.begin(wasUnderWay: false) { givenUp += 1 }
        let upstream = ExchangeUpstream.awaitingToken(wait)
        #expect(upstream.stream == nil)
        upstream.giveUpWaiting()
        upstream.giveUpWaiting()
        #expect(givenUp == 1)
    }

    @Test("gives up the wait for a connection that is for nobody else")
    func connection() {
        let dial = ClientDial()
        let upstream = ExchangeUpstream.awaitingConnection(dial)
        #expect(upstream.stream == nil)
        upstream.giveUpWaiting()
        let givenUp = Mutex(0)
        let addresses: EventLoopFuture<[SocketAddress]> = EmbeddedEventLoop().makeFailedFuture(ChannelError.eof)
        dial.begin(NameLookups.Pending(addresses: addresses) { givenUp.withLock { $0 += 1 } })
        #expect(givenUp.withLock { $0 } == 1)
    }
}
