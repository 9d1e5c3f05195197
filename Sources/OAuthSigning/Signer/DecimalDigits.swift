/// A number in decimal digits, without a trip through the heap: `digits` from `start` on.
struct DecimalDigits: Sendable {
    private(set) var digits = InlineArray<20, UInt8>(repeating: 0)
    private(set) var start = 20

    init(_ number: UInt64) {
        var rest = number
        repeat {
            start -= 1
            digits[start] = UInt8(ascii: "0") + UInt8(truncatingIfNeeded: rest % 10)
            rest /= 10
        } while rest > 0
    }
}
