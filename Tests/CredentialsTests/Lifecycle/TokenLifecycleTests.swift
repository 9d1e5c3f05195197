import Credentials
import OAuthSigning
import Testing

/// Playbooks: an event, what it leads to, the next event. Waiters are numbers, times are seconds.
@Suite("The life of an exchanged token")
struct TokenLifecycleTests {
    typealias Lifecycle = TokenLifecycle<Int>

    let first = AccountToken.oauth1(TokenCredentials(token: "first", secret: Secret("1")))
    let second = AccountToken.oauth1(TokenCredentials(token: "second", secret: Secret("2")))
    let third = AccountToken.oauth1(TokenCredentials(token: "third", secret: Secret("3")))
    let failure = ExchangeFailure(step: "step", status: 401, words: "no", cause: .refused)

    private func failure(retryAfter: Int) -> ExchangeFailure {
        var failure = failure
        failure.retryAfter = retryAfter
        return failure
    }

    @Test("A token from the vault is used at once")
    func stored() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.request(now: 0, waiter: 1) == .use(first, generation: 1))
        #expect(life.current?.token == first)
        #expect(life.waiters.isEmpty)
    }

    @Test("However many ask for a missing token, one exchange is started and all are woken with its token, in order")
    func oneExchange() {
        var life = Lifecycle(token: nil, waiterLimit: 1_000)
        #expect(life.current == nil)
        #expect(life.request(now: 0, waiter: 0) == .startExchange)
        for waiter in 1..<1_000 { #expect(life.request(now: 0, waiter: waiter) == .wait) }
        #expect(life.waiters.count == 1_000)
        #expect(life.exchangeSucceeded(with: first, now: 1.seconds) == Array(0..<1_000))
        #expect(life.waiters.isEmpty)
        #expect(life.request(now: 2.seconds, waiter: 0) == .use(first, generation: 1))
    }

    @Test("No more wait than may; who goes away makes room")
    func waiterLimit() {
        var life = Lifecycle(token: nil, waiterLimit: 2)
        #expect(life.request(now: 0, waiter: 1) == .startExchange)
        #expect(life.request(now: 0, waiter: 2) == .wait)
        #expect(life.request(now: 0, waiter: 3) == .tooManyWaiters)
        #expect(life.cancelled(2) == true)
        #expect(life.request(now: 0, waiter: 4) == .wait)
        #expect(life.request(now: 0, waiter: 5) == .tooManyWaiters)
        #expect(life.exchangeSucceeded(with: first, now: 0) == [1, 4])
    }

    @Test("A request that may not wait for an exchange of others may start one")
    func mayNotWait() {
        var life = Lifecycle(token: nil, waiterLimit: 2)
        #expect(life.request(now: 0, waiter: 1, mayWait: false) == .startExchange)
        #expect(life.request(now: 0, waiter: 2, mayWait: false) == .tooManyWaiters)
        #expect(life.refused(generation: 0, now: 0, waiter: 2, mayWait: false) == .passAnswerOn)
        #expect(life.exchangeSucceeded(with: first, now: 0) == [1])
    }

    @Test("A waiter that goes away is not woken, and the exchange goes on even without any")
    func cancellation() {
        var life = Lifecycle(token: nil, waiterLimit: 10)
        #expect(life.cancelled(1) == false)
        #expect(life.request(now: 0, waiter: 1) == .startExchange)
        #expect(life.request(now: 0, waiter: 2) == .wait)
        #expect(life.cancelled(1) == true)
        #expect(life.cancelled(1) == false)
        #expect(life.cancelled(9) == false)
        #expect(life.cancelled(2) == true)
        #expect(life.request(now: 0, waiter: 3) == .wait)
        #expect(life.cancelled(3) == true)
        #expect(life.exchangeSucceeded(with: first, now: 0) == [])
        #expect(life.cancelled(3) == false)
        #expect(life.request(now: 0, waiter: 4) == .use(first, generation: 1))
    }

    @Test(
        "After a failure each waiter gets it; who asks too soon gets it at once with the seconds left; then one tries"
    )
    func backingOff() {
        var life = Lifecycle(token: nil, waiterLimit: 10)
        #expect(life.request(now: 10.seconds, waiter: 1) == .startExchange)
        #expect(life.request(now: 10.seconds, waiter: 2) == .wait)
        #expect(life.exchangeFailed(failure, now: 10.seconds) == [1, 2])
        #expect(life.failure(now: 10.seconds) == failure(retryAfter: 1))
        #expect(life.request(now: 10.seconds, waiter: 3) == .fail(failure(retryAfter: 1)))
        #expect(life.request(now: 11.seconds - 1, waiter: 3) == .fail(failure(retryAfter: 1)))
        #expect(life.failure(now: 11.seconds) == nil)
        #expect(life.request(now: 11.seconds, waiter: 3) == .startExchange)
        #expect(life.request(now: 11.seconds, waiter: 4) == .wait)
        #expect(life.exchangeSucceeded(with: first, now: 12.seconds) == [3, 4])
    }

    @Test("Each failure in a row doubles the pause, from a second up to a minute; a token ends the row")
    func growth() {
        var life = Lifecycle(token: nil, waiterLimit: 10)
        var now: UInt64 = 0
        for pause in [1, 2, 4, 8, 16, 32, 60, 60, 60] {
            #expect(life.request(now: now, waiter: 1) == .startExchange)
            #expect(life.exchangeFailed(failure, now: now) == [1])
            #expect(life.request(now: now, waiter: 1) == .fail(failure(retryAfter: pause)))
            now += pause.seconds
            #expect(life.request(now: now - 1, waiter: 1) == .fail(failure(retryAfter: 1)))
        }
        #expect(life.request(now: now, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: first, now: now) == [1])
        #expect(life.refused(generation: 1, now: now + 600.seconds, waiter: 1) == .startExchange)
        #expect(life.exchangeFailed(failure, now: now + 600.seconds) == [1])
        #expect(life.failure(now: now + 600.seconds) == failure(retryAfter: 1))
    }

    @Test("However many report the refusal of one token, one exchange is started, and all repeat with its token")
    func refusal() {
        var life = Lifecycle(token: first, waiterLimit: 1_000)
        #expect(life.refused(generation: 1, now: 0, waiter: 0) == .startExchange)
        for waiter in 1..<500 { #expect(life.refused(generation: 1, now: 0, waiter: waiter) == .wait) }
        #expect(life.request(now: 0, waiter: 500) == .wait)
        #expect(life.exchangeSucceeded(with: second, now: 0) == Array(0...500))
        for waiter in 501..<600 {
            #expect(life.refused(generation: 1, now: 0, waiter: waiter) == .use(second, generation: 2))
        }
        #expect(life.request(now: 0, waiter: 1) == .use(second, generation: 2))
    }

    @Test("A request that cannot be repeated starts the exchange all the same, and gets the provider's own answer")
    func unrepeatable() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.refused(generation: 1, now: 0, waiter: nil) == .startExchange)
        #expect(life.refused(generation: 1, now: 0, waiter: nil) == .passAnswerOn)
        #expect(life.waiters.isEmpty)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .wait)
        #expect(life.exchangeSucceeded(with: second, now: 0) == [1])
        #expect(life.refused(generation: 1, now: 0, waiter: nil) == .passAnswerOn)
    }

    @Test("Where no more may wait, a refused request gets the provider's own answer")
    func refusalBeyondLimit() {
        var life = Lifecycle(token: first, waiterLimit: 1)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.refused(generation: 1, now: 0, waiter: 2) == .passAnswerOn)
        #expect(life.exchangeSucceeded(with: second, now: 0) == [1])
    }

    @Test("When the exchange after a refusal fails, all wait out the pause, late reports of the refusal included")
    func failedReplacement() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeFailed(failure, now: 0) == [1])
        #expect(life.current == nil)
        #expect(life.refused(generation: 1, now: 0, waiter: 2) == .passAnswerOn)
        #expect(life.request(now: 0, waiter: 3) == .fail(failure(retryAfter: 1)))
        #expect(life.request(now: 1.seconds, waiter: 4) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 1.seconds) == [4])
    }

    @Test("After the pause a report of the refusal tries again too: who holds the refused token does not ask before")
    func refusalAfterFailedReplacement() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeFailed(failure, now: 0) == [1])
        #expect(life.refused(generation: 1, now: 1.seconds - 1, waiter: 2) == .passAnswerOn)
        #expect(life.refused(generation: 1, now: 1.seconds, waiter: nil) == .startExchange)
        #expect(life.refused(generation: 1, now: 1.seconds, waiter: 3) == .wait)
        #expect(life.exchangeSucceeded(with: second, now: 1.seconds) == [3])
    }

    @Test("A new token that is refused at once is not exchanged again before a pause, which doubles; it stays in use")
    func refusedAtOnce() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        var now: UInt64 = 0
        var generation: UInt64 = 1
        #expect(life.refused(generation: generation, now: now, waiter: 1) == .startExchange)
        for pause in [1, 2, 4, 8, 16, 32, 60, 60] {
            let token = AccountToken.oauth1(TokenCredentials(token: "token-\(generation)", secret: Secret("x")))
            #expect(life.exchangeSucceeded(with: token, now: now) == [1])
            generation += 1
            #expect(life.refused(generation: generation, now: now, waiter: 1) == .passAnswerOn)
            #expect(life.refused(generation: generation, now: now, waiter: 2) == .passAnswerOn)
            #expect(life.request(now: now, waiter: 3) == .use(token, generation: generation))
            #expect(life.refused(generation: generation, now: now + pause.seconds - 1, waiter: 1) == .passAnswerOn)
            now += pause.seconds
            #expect(
                life.refused(generation: generation - 1, now: now, waiter: 1) == .use(token, generation: generation)
            )
            #expect(life.refused(generation: generation, now: now, waiter: 1) == .startExchange)
            #expect(life.refused(generation: generation, now: now, waiter: nil) == .passAnswerOn)
        }
    }

    @Test("A new token that served for a minute is exchanged at its refusal without a pause")
    func refusedAfterServing() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 0) == [1])
        #expect(life.refused(generation: 2, now: 60.seconds, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: third, now: 60.seconds) == [1])
        #expect(life.refused(generation: 3, now: 60.seconds, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 3, now: 61.seconds, waiter: 1) == .startExchange)
    }

    @Test("A token that was refused at once and then served for a minute is no longer in doubt")
    func refusedAtOnceThenServing() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 0) == [1])
        #expect(life.refused(generation: 2, now: 0, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 2, now: 61.seconds, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: third, now: 61.seconds) == [1])
        #expect(life.refused(generation: 3, now: 61.seconds, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 3, now: 62.seconds, waiter: 1) == .startExchange)
    }

    @Test("The first token of an exchange is exchanged once more when it is refused at once, then there is a pause")
    func firstTokenRefusedAtOnce() {
        var life = Lifecycle(token: nil, waiterLimit: 10)
        #expect(life.request(now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: first, now: 0) == [1])
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 0) == [1])
        #expect(life.refused(generation: 2, now: 0, waiter: 1) == .passAnswerOn)
    }

    @Test("Refusals and failures in turn make one row")
    func mixedRow() {
        var life = Lifecycle(token: first, waiterLimit: 10)
        #expect(life.refused(generation: 1, now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeFailed(failure, now: 0) == [1])
        #expect(life.request(now: 1.seconds, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: second, now: 1.seconds) == [1])
        #expect(life.refused(generation: 2, now: 1.seconds, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 2, now: 3.seconds - 1, waiter: 1) == .passAnswerOn)
        #expect(life.refused(generation: 2, now: 3.seconds, waiter: 1) == .startExchange)
    }

    @Test("The end of an exchange that was not running wakes nobody and changes nothing")
    func strayEnds() {
        var life = Lifecycle(token: nil, waiterLimit: 10)
        #expect(life.exchangeSucceeded(with: first, now: 0) == [])
        #expect(life.exchangeFailed(failure, now: 0) == [])
        #expect(life.refused(generation: 0, now: 0, waiter: 1) == .passAnswerOn)
        #expect(life.request(now: 0, waiter: 1) == .startExchange)
        #expect(life.exchangeSucceeded(with: first, now: 0) == [1])
        #expect(life.exchangeSucceeded(with: second, now: 0) == [])
        #expect(life.exchangeFailed(failure, now: 0) == [])
        #expect(life.request(now: 0, waiter: 1) == .use(first, generation: 1))
    }
}

extension Int {
    fileprivate var seconds: UInt64 { UInt64(self) * 1_000_000_000 }
}
