/// The value of a `traceparent` field: the trace that a request belongs to, and the span that it comes from (W3C Trace
/// Context, section 3.2).
package struct TraceParent: Sendable, Hashable {
    package let traceID: TraceID
    package let parentID: SpanID
    /// Indicates whether the caller records the trace.
    package let isSampled: Bool

    /// Nil unless it is of version 00, or of a later one that begins likewise.
    package init?(_ bytes: some Collection<UInt8>) {
        let bytes = Array(bytes)
        guard bytes.count >= 55, [2, 35, 52].allSatisfy({ bytes[$0] == UInt8(ascii: "-") }),
            let version = Self.number(bytes[0..<2]), version != 0xFF,
            version == 0 ? bytes.count == 55 : bytes.count == 55 || bytes[55] == UInt8(ascii: "-"),
            let high = Self.number(bytes[3..<19]), let low = Self.number(bytes[19..<35]),
            let parent = Self.number(bytes[36..<52]), let flags = Self.number(bytes[53..<55]),
            high | low != 0, parent != 0
        else { return nil }
        traceID = TraceID(high: high, low: low)
        parentID = SpanID(parent)
        isSampled = flags & 1 == 1
    }

    /// Hexadecimal in lower case alone.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        var number: UInt64 = 0
        for digit in digits {
            switch digit {
            case UInt8(ascii: "0")...UInt8(ascii: "9"): number = number << 4 | UInt64(digit - UInt8(ascii: "0"))
            case UInt8(ascii: "a")...UInt8(ascii: "f"): number = number << 4 | UInt64(digit - UInt8(ascii: "a") + 10)
            default: return nil
            }
        }
        return number
    }
}

/// The name of a trace: 16 bytes, not all of them zero.
package struct TraceID: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    /// A new one.
    package static func random() -> TraceID {
        TraceID(high: .random(in: .min ... .max), low: .random(in: 1 ... .max))
    }

    /// 32 hexadecimal digits in lower case.
    package var description: String { SpanID.hexadecimal(high) + SpanID.hexadecimal(low) }

    var bytes: [UInt8] { SpanID.bytes(high) + SpanID.bytes(low) }
}

/// The name of a span within its trace: 8 bytes, not all of them zero.
package struct SpanID: Sendable, Hashable, CustomStringConvertible {
    private let value: UInt64

    init(_ value: UInt64) {
        self.value = value
    }

    static func random() -> SpanID { SpanID(.random(in: 1 ... .max)) }

    /// 16 hexadecimal digits in lower case.
    package var description: String { Self.hexadecimal(value) }

    var bytes: [UInt8] { Self.bytes(value) }

    static func bytes(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }

    static func hexadecimal(_ value: UInt64) -> String {
        let digits = String(value, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
