import Bytes

/// The name of a span within its trace: 8 bytes, not all of them zero.
package struct SpanID: Sendable, Hashable, CustomStringConvertible {
    private let value: UInt64

    init(_ value: UInt64) {
        self.value = value
    }

    static func random() -> SpanID { SpanID(.random(in: 1 ... .max)) }

    /// 16 hexadecimal digits in lower case.
    package var description: String { Hexadecimal.encode(value) }

    var bytes: [UInt8] { Self.bytes(value) }

    static func bytes(_ value: UInt64) -> [UInt8] { (0..<8).map { UInt8(truncatingIfNeeded: value >> (56 - 8 * $0)) } }
}
