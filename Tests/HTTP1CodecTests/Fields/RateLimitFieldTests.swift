import HTTP1Codec
import NIOCore
import Testing

@Suite("Fields that tell rate limits")
struct RateLimitFieldTests {
    @Test(
        "Names that tell them, and others",
        arguments: [
            ("X-RateLimit-Remaining", true), ("x-rate-limit-reset", true), ("X-RATELIMIT-LIMIT", true),
            ("RateLimit", true), ("RateLimit-Policy", true), ("ratelimit-reset", true), ("Retry-After", true),
            ("X-Discogs-Ratelimit-Used", true), ("X-Shopify-Shop-Api-Call-Limit", true), ("X-Remaining-Today", true),
            ("Fitbit-Rate-Limit-Limit", true), ("X-Ratelimit-Perday-Remaining", true), ("X-Limi", false),
            ("X-Content-Type-Options", false), ("Rate", false), ("Referrer-Policy", false), ("Limit-Of-All", false),
            ("Content-Length", false), ("XX-Limit-Up", false),
        ]
    )
    func names(name: String, tells: Bool) throws {
        let head = try Reading.requestHead("GET / HTTP/1.1\r\nHost: h\r\n\(name): 1\r\nX-Other: 2\r\n\r\n")
        #expect(head.fields.tellsRateLimits == tells)
        #expect(head.fields.rateLimitLines.map { String(buffer: $0.name) } == (tells ? [name] : []))
    }
}
