import Bytes

/// The value of a `traceparent` field: the trace that a request belongs to, and the span that it comes from (W3C Trace
/// Context, section 3.2).
package struct TraceParent: Sendable, Hashable {
    package let traceID: TraceID
    package let parentID: SpanID
    /// Indicates whether the caller records the trace.
    package let isSampled: Bool

    /// Reads a field's value; nil unless it is of version 00, or of a later one that begins likewise.
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

    /// Returns the number that digits stand for; nil unless they are hexadecimal in lower case.
    private static func number(_ digits: ArraySlice<UInt8>) -> UInt64? {
        guard !digits.contains(where: \.isUppercase) else { return nil }
        return Hexadecimal.decode(Array(digits))?.reduce(0) { $0 << 8 | UInt64($1) }
    }
}
