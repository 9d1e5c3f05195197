import Credentials
import OAuthSigning
import Testing

/// Playbooks like those of ``TokenLifecycleTests``, of tokens whose end is known.
@Suite("The refreshing of a token")
struct TokenRefreshTests {
    typealias Lifecycle = TokenLifecycle<Int>

    let first = AccountToken.access(AccessToken(Secret("first")))
    let second = AccountToken.access(AccessToken(Secret("second")))
    let third = AccountToken.access(AccessToken(Secret("third")))
    let failure = ExchangeFailure(step: "refresh", status: 503, words: "no", cause: .providerFailed)

    private func failure(retryAfter: Int) -> ExchangeFailure {
        var failure = failure
        failure.retryAfter = retryAfter
        return failure
    }

    private func life(waiterLimit: Int = 10) -> Lifecycle {
        Lifecycle(token: first, refreshAt: 80.seconds, expiresAt: 100.seconds, waiterLimit: waiterLimit)
    }

    @Test("A token due for refreshing is asked for anew once, and used by all meanwhile")
    func ahead() {
        var life = life()
        #expect(life.refreshAt == 80.seconds)
        #expect(life.request(now: 80.seconds - 1, waiter: 1) == .use(first, generation: 1))
        #expect(life.isIdle)
        #expect(life.request(now: 80.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(!life.isIdle)
        #expect(life.replaced == first)
        for waiter in 2..<1_000 { #expect(life.request(now: 81.seconds, waiter: waiter) == .use(first, generation: 1)) }
        #expect(life.waiters.isEmpty)
        #expect(life.current?.token == first)
        let woken = life.exchangeSucceeded(
            with: second,
            now: 82.seconds,
            refreshAt: 162.seconds,
            expiresAt: 182.seconds
        )
        #expect(woken == [])
        #expect(life.refreshAt == 162.seconds)
        #expect(life.replaced == nil)
        #expect(life.request(now: 161.seconds, waiter: 1) == .use(second, generation: 2))
        #expect(life.request(now: 162.seconds, waiter: 1) == .useAndStartExchange(second, generation: 2))
    }

    @Test("Past its end nobody uses it: all wait for the refresh that runs")
    func expiryDuringRefresh() {
        var life = life(waiterLimit: 2)
        #expect(life.request(now: 99.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(life.request(now: 100.seconds - 1, waiter: 2) == .use(first, generation: 1))
        #expect(life.request(now: 100.seconds, waiter: 3) == .wait)
        #expect(life.request(now: 101.seconds, waiter: 4) == .wait)
        #expect(life.request(now: 101.seconds, waiter: 5) == .tooManyWaiters)
        #expect(life.exchangeSucceeded(with: second, now: 102.seconds) == [3, 4])
        #expect(life.request(now: 500.seconds, waiter: 1) == .use(second, generation: 2))
    }

    @Test("A token that expired unused is exchanged by the first to ask, and all wait", arguments: [true, false])
    func expired(hasRefreshTime: Bool) {
        var life = Lifecycle(
            token: first,
            generation: 6,
            refreshAt: hasRefreshTime ? 80.seconds : nil,
            expiresAt: 100.seconds,
            waiterLimit: 10
        )
        #expect(life.refreshAt == (hasRefreshTime ? 80 : 100).seconds)
        #expect(life.request(now: 100.seconds, waiter: 1) == .startExchange)
        #expect(life.replaced == first)
        #expect(life.current == nil)
        #expect(life.request(now: 100.seconds, waiter: 2) == .wait)
        #expect(life.exchangeSucceeded(with: second, now: 101.seconds) == [1, 2])
        #expect(life.request(now: 101.seconds, waiter: 3) == .use(second, generation: 8))
    }

    @Test("A refresh that fails keeps the token in use, and is tried again after a pause that doubles")
    func failedRefresh() {
        var life = life()
        var now = 80.seconds
        for pause in [1, 2, 4, 8] {
            #expect(life.request(now: now, waiter: 1) == .useAndStartExchange(first, generation: 1))
            #expect(life.exchangeFailed(failure, now: now) == [])
            #expect(life.failure(now: now) == nil)
            #expect(life.refreshAt == now + pause.seconds)
            #expect(life.request(now: now + pause.seconds - 1, waiter: 1) == .use(first, generation: 1))
            now += pause.seconds
        }
        #expect(now == 95.seconds)
        #expect(life.request(now: now, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(life.exchangeSucceeded(with: second, now: now, refreshAt: 96.seconds, expiresAt: 200.seconds) == [])
        // The row has ended.
        #expect(life.request(now: 96.seconds, waiter: 1) == .useAndStartExchange(second, generation: 2))
        #expect(life.exchangeFailed(failure, now: 96.seconds) == [])
        #expect(life.refreshAt == 97.seconds)
    }

    @Test("Past its end within such a pause, requests get the failure; after it one tries")
    func expiryDuringPause() {
        var life = life()
        for start in [80, 84, 89] {
            #expect(life.request(now: start.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
            #expect(life.exchangeFailed(failure, now: start.seconds) == [])
        }
        #expect(life.request(now: 99.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(life.exchangeFailed(failure, now: 99.seconds) == [])
        #expect(life.request(now: 99.seconds, waiter: 1) == .use(first, generation: 1))
        #expect(life.request(now: 100.seconds, waiter: 1) == .fail(failure(retryAfter: 7)))
        #expect(life.failure(now: 106.seconds) == failure(retryAfter: 1))
        #expect(life.request(now: 107.seconds, waiter: 1) == .startExchange)
        #expect(life.replaced == first)
        #expect(life.exchangeFailed(failure, now: 107.seconds) == [1])
        #expect(life.request(now: 108.seconds, waiter: 1) == .fail(failure(retryAfter: 15)))
        #expect(!life.isIdle)
        #expect(life.request(now: 123.seconds, waiter: 1) == .startExchange)
        #expect(life.replaced == first)
    }

    @Test("A refresh that fails when the token is over fails those who wait")
    func failureAfterExpiry() {
        var life = life()
        #expect(life.request(now: 99.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(life.request(now: 100.seconds, waiter: 2) == .wait)
        #expect(life.exchangeFailed(failure, now: 101.seconds) == [2])
        #expect(life.current == nil)
        #expect(life.request(now: 101.seconds, waiter: 3) == .fail(failure(retryAfter: 1)))
        #expect(life.request(now: 102.seconds, waiter: 3) == .startExchange)
        #expect(life.request(now: 102.seconds, waiter: 4) == .wait)
    }

    @Test("A token that is refused while it is refreshed waits for what that brings, which the others need not")
    func refusedDuringRefresh() {
        var life = life()
        #expect(life.request(now: 80.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(life.refused(generation: 1, now: 80.seconds, waiter: 1) == .wait)
        #expect(life.refused(generation: 1, now: 80.seconds, waiter: nil) == .passAnswerOn)
        #expect(life.refused(generation: 0, now: 80.seconds, waiter: 2) == .use(first, generation: 1))
        #expect(life.request(now: 80.seconds, waiter: 3) == .use(first, generation: 1))
        #expect(life.cancelled(3) == false)
        #expect(life.refused(generation: 1, now: 80.seconds, waiter: 4) == .wait)
        #expect(life.cancelled(4) == true)
        #expect(life.exchangeSucceeded(with: second, now: 81.seconds) == [1])
        #expect(life.refused(generation: 1, now: 81.seconds, waiter: 5) == .use(second, generation: 2))
    }

    @Test("A token that could not be refreshed and is refused is not asked for anew within the pause")
    func refusedDuringPause() {
        var life = life()
        #expect(life.request(now: 80.seconds, waiter: 1) == .useAndStartExchange(first, generation: 1))
        #expect(life.refused(generation: 1, now: 80.seconds, waiter: 1) == .wait)
        #expect(life.exchangeFailed(failure, now: 80.seconds) == [1])
        #expect(life.refused(generation: 1, now: 80.seconds, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 1, now: 81.seconds, waiter: 1) == .startExchange)
        #expect(life.replaced == first)
        #expect(life.exchangeSucceeded(with: second, now: 82.seconds) == [1])
    }

    @Test("After a refusal whose exchange failed, the exchange that follows still replaces the refused token")
    func replacedAfterFailure() {
        var life = life()
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeFailed(failure, now: 0) == [1])
        #expect(life.request(now: 0, waiter: 1) == .fail(failure(retryAfter: 1)))
        #expect(life.request(now: 1.seconds, waiter: 1) == .startExchange)
        #expect(life.replaced == first)
    }

    @Test("A late report of an older token's refusal does not bring back one that is over")
    func lateRefusal() {
        var life = life()
        #expect(life.refused(generation: 0, now: 99.seconds, waiter: 1) == .use(first, generation: 1))
        #expect(life.refused(generation: 0, now: 100.seconds, waiter: 1) == .startExchange)
    }

    @Test("The refusal of a new token whose time is over is no reason for a pause")
    func refusedWhenOver() {
        var life = life()
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 0, refreshAt: 10.seconds, expiresAt: 20.seconds) == [1])
        #expect(life.refused(generation: 2, now: 20.seconds, waiter: 1) == .startExchange)
        #expect(life.exchangeFailed(failure, now: 20.seconds) == [1])
        #expect(life.refused(generation: 2, now: 20.seconds, waiter: 1) == .passAnswerOn)
    }

    @Test("A replacement in doubt stays in doubt when it is refreshed")
    func doubtOutlivesRefresh() {
        var life = life()
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 0, refreshAt: 10.seconds, expiresAt: 20.seconds) == [1])
        #expect(life.request(now: 10.seconds, waiter: 1) == .useAndStartExchange(second, generation: 2))
        #expect(life.exchangeSucceeded(with: third, now: 10.seconds, refreshAt: 90.seconds) == [])
        #expect(life.refused(generation: 3, now: 10.seconds, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 3, now: 11.seconds, waiter: 1) == .startExchange)
    }
}

extension Int {
    fileprivate var seconds: UInt64 { UInt64(self) * 1_000_000_000 }
}
