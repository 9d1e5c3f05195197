import Bytes

/// The name of a trace: 16 bytes, not all of them zero.
package struct TraceID: Sendable, Hashable, CustomStringConvertible {
    private let high: UInt64
    private let low: UInt64

    init(high: UInt64, low: UInt64) {
        self.high = high
        self.low = low
    }

    package static func random() -> TraceID {
        TraceID(high: .random(in: .min ... .max), low: .random(in: 1 ... .max))
    }

    /// 32 hexadecimal digits in lower case.
    package var description: String { Hexadecimal.encode(high) + Hexadecimal.encode(low) }

    var bytes: [UInt8] { SpanID.bytes(high) + SpanID.bytes(low) }
}
