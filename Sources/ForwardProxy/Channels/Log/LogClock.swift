import Glibc
package import NIOCore

/// Writes times as RFC 3339 has them, in UTC to the millisecond. Keeps the text of the latest second.
package struct LogClock: Sendable {
    /// The length of `2026-11-26T`.
    private static let dateLength = 11

    private var second: Int64 = -1
    private var text = ""

    package init() {}

    /// - Parameter omitsDate: Whether the time of day alone is written.
    package mutating func write(_ now: WallTime, into out: inout ByteBuffer, omitsDate: Bool = false) {
        if now.seconds != second {
            second = now.seconds
            text = Self.text(of: second)
        }
        if omitsDate { out.writeSubstring(text.dropFirst(Self.dateLength)) } else { out.writeString(text) }
        let milliseconds = now.nanoseconds / 1_000_000
        out.writeInteger(UInt8(ascii: "."))
        out.writeInteger(UInt8(ascii: "0") + UInt8(milliseconds / 100))
        out.writeInteger(UInt8(ascii: "0") + UInt8(milliseconds / 10 % 10))
        out.writeInteger(UInt8(ascii: "0") + UInt8(milliseconds % 10))
        out.writeStaticString("Z")
    }

    private static func text(of second: Int64) -> String {
        var time = time_t(second)
        var parts = tm()
        gmtime_r(&time, &parts)
        func two(_ value: Int32) -> String { value < 10 ? "0\(value)" : "\(value)" }
        return "\(parts.tm_year + 1900)-\(two(parts.tm_mon + 1))-\(two(parts.tm_mday))"
            + "T\(two(parts.tm_hour)):\(two(parts.tm_min)):\(two(parts.tm_sec))"
    }
}
