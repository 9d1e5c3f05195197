import Foundation
import NIOCore
import Testing

@testable import ForwardProxy

@Suite("The log's clock")
struct LogClockTests {
    @Test("The time is RFC 3339 in UTC to the millisecond, and now")
    func writesTime() throws {
        var clock = LogClock()
        var out = ByteBuffer()
        let before = Date()
        clock.write(into: &out)
        let after = Date()
        let text = String(buffer: out)
        #expect(try #/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/#.wholeMatch(in: text) != nil)
        let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
        let time = try style.parse(text)
        // Both ends are cut to the millisecond.
        #expect(time.timeIntervalSince(before) > -0.002)
        #expect(time.timeIntervalSince(after) < 0.002)
    }

    @Test("A second use is no earlier than the first")
    func goesOn() {
        var clock = LogClock()
        let times = (0..<50).map { _ in
            var out = ByteBuffer()
            clock.write(into: &out)
            return String(buffer: out)
        }
        #expect(times == times.sorted())
    }
}
