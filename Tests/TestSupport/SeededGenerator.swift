/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators"): the same numbers for the same
/// seed everywhere, so a failure can be repeated.
package struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    package mutating func below(_ bound: Int) -> Int {
        Int(next() % UInt64(bound))
    }

    package mutating func chance(_ oneIn: Int) -> Bool {
        below(oneIn) == 0
    }

    package mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }

    /// As many as the range says, each one of these.
    package mutating func some<Element>(_ count: ClosedRange<Int>, of elements: [Element]) -> [Element] {
        let length = count.lowerBound + below(count.count)
        return (0..<length).map { _ in pick(elements) }
    }

    /// A text of that many characters out of an ASCII alphabet.
    package mutating func text(_ count: ClosedRange<Int>, of alphabet: String) -> String {
        String(some(count, of: Array(alphabet)))
    }
}
