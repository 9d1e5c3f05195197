/// A generator that gives the same numbers in every run (Steele, Lea, Flood: "Fast splittable pseudorandom number
/// generators").
struct SplitMix64: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) { state = seed }

    mutating func next() -> UInt64 {
        state &+= 0x9e37_79b9_7f4a_7c15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xbf58_476d_1ce4_e5b9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94d0_49bb_1331_11eb
        return mixed ^ (mixed >> 31)
    }
}

extension SplitMix64 {
    /// Up to `count` octets, most of them of those that mean something in a query.
    mutating func octets(upTo count: Int, excluding excluded: String = "") -> [UInt8] {
        let telling = Array("abzAZ09-._~%+ =&;?/[]\"|41C3a9oauth_".utf8)
        return (0..<Int.random(in: 0...count, using: &self)).map { _ in
            Bool.random(using: &self) ? .random(in: 0...255, using: &self) : telling.randomElement(using: &self) ?? 0
        }
        .filter { !excluded.utf8.contains($0) }
    }

    mutating func text(upTo count: Int) -> String {
        let scalars = (0..<Int.random(in: 0...count, using: &self)).compactMap { _ in
            Unicode.Scalar(UInt32.random(in: 0...0x2fff, using: &self))
        }
        return String(String.UnicodeScalarView(scalars))
    }
}
