import NIOCore
import Testing

@testable import ForwardProxy

@Suite("One event a minute")
struct RateLimiterTests {
    private let start = NIODeadline.uptimeNanoseconds(1_000_000_000)

    @Test("The first of a key passes, the next after a minute")
    func limits() {
        var limiter = RateLimiter()
        #expect(limiter.permits("a", now: start) == true)
        #expect(limiter.permits("a", now: start) == false)
        #expect(limiter.permits("a", now: start + .seconds(59)) == false)
        #expect(limiter.permits("a", now: start + .seconds(60)) == true)
        #expect(limiter.permits("a", now: start + .seconds(61)) == false)
    }

    @Test("Keys do not limit each other")
    func separatesKeys() {
        var limiter = RateLimiter()
        #expect(limiter.permits("a", now: start) == true)
        #expect(limiter.permits("b", now: start) == true)
    }

    @Test("What it remembers is bounded: the latest keys are limited still")
    func isBounded() {
        var limiter = RateLimiter()
        for index in 0..<5000 { #expect(limiter.permits("host\(index)", now: start) == true) }
        #expect(limiter.keyCount == RateLimiter.capacity)
        let limited = (0..<5000).reversed().filter { !limiter.permits("host\($0)", now: start) }
        #expect(limited == (5000 - RateLimiter.capacity..<5000).reversed())
    }
}
