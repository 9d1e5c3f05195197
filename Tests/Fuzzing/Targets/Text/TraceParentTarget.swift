@testable import TraceContext

/// `traceparent` fields: what is taken is what the grammar of W3C Trace Context, section 3.2, has, with the same names
/// of the trace and of the span.
///
/// The input is the value; or, after a first byte of 0, the bytes that the hexadecimal digits of one stand for, a byte
/// of choice among mistakes, and what follows.
enum TraceParentTarget: FuzzTarget {
    static let name = "traceparent"

    private static let digits = Array("0123456789abcdef".utf8)

    static func check(_ input: [UInt8]) {
        let value = input.first == 0 ? made(of: input) : input
        let parent = TraceParent(value)
        let fields = reference(value)
        let text = String(decoding: value, as: UTF8.self)
        require((parent == nil) == (fields == nil), "\(text) is read as \(parent as Any)")
        guard let parent, let fields else { return }
        require("\(parent.traceID)" == fields[1] && "\(parent.parentID)" == fields[2], "read as \(parent)")
        let isSampled = Int(fields[3], radix: 16).map { $0 % 2 == 1 }
        require(parent.isSampled == isSampled, "sampled: \(parent.isSampled)")
    }

    private static func made(of input: [UInt8]) -> [UInt8] {
        var reader = InputReader(input)
        _ = reader.byte()
        let mistake = reader.byte()
        let numbers = reader.bytes(26)
        var value: [UInt8] = []
        for (index, byte) in numbers.enumerated() {
            if [1, 17, 25].contains(index) { value.append(UInt8(ascii: "-")) }
            value += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
        }
        switch mistake & 3 {
        case 0: break
        case 1: value.replaceSubrange(0..<min(2, value.count), with: Array("00".utf8))
        case 2: value.append(UInt8(ascii: "-"))
        default: if !value.isEmpty { value[Int(mistake >> 2) % value.count] ^= 0x20 }
        }
        return value + reader.remainder()
    }

    /// Returns the four fields; nil where it has them not.
    private static func reference(_ value: [UInt8]) -> [String]? {
        let parts = value.split(separator: UInt8(ascii: "-"), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 4, parts.prefix(4).map(\.count) == [2, 32, 16, 2],
            parts.prefix(4).joined().allSatisfy(digits.contains)
        else { return nil }
        let fields = parts.map { String(decoding: $0, as: UTF8.self) }
        guard fields[0] != "ff", fields[0] != "00" || fields.count == 4 else { return nil }
        return fields[1].contains { $0 != "0" } && fields[2].contains { $0 != "0" } ? fields : nil
    }
}
