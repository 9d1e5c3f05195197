import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The log's clock")
struct LogClockTests {
    @Test("Times are RFC 3339 in UTC to the millisecond, cut and not rounded, whichever was written before")
    func writesTimes() {
        var clock = LogClock()
        let times =
            [
                (1_780_000_000, 0, "2026-05-28T20:26:40.000Z"),
                (1_780_000_000, 999_999_999, "2026-05-28T20:26:40.999Z"),
                (1_780_000_001, 7_000_000, "2026-05-28T20:26:41.007Z"),
                (0, 60_000_000, "1970-01-01T00:00:00.060Z"),
                (1_709_251_199, 1, "2024-02-29T23:59:59.000Z"),
                (1_780_000_000, 0, "2026-05-28T20:26:40.000Z"),
            ] as [(Int64, Int64, String)]
        for (seconds, nanoseconds, text) in times {
            var out = ByteBuffer()
            clock.write(WallTime(seconds: seconds, nanoseconds: nanoseconds), into: &out)
            #expect(String(buffer: out) == text)
        }
    }
}
