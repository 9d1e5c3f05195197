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

    @Test("What it remembers is bounded, and it goes on limiting")
    func isBounded() {
        var limiter = RateLimiter()
        for index in 0..<5000 { #expect(limiter.permits("host\(index)", now: start) == true) }
        #expect(limiter.permits("host4999", now: start) == false)
        #expect(
            Mirror(reflecting: limiter).children.contains {
                ($0.value as? [String: NIODeadline])?.count ?? .max <= 1024
            }
        )
    }
}
