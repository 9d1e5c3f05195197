/// SplitMix64: the same numbers for the same seed everywhere, so a failure can be repeated.
struct SeededGenerator: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        self.state = seed
    }

    mutating func next() -> UInt64 {
        self.state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = self.state
        mixed = (mixed ^ mixed >> 30) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ mixed >> 27) &* 0x94D0_49BB_1331_11EB
        return mixed ^ mixed >> 31
    }

    mutating func below(_ bound: Int) -> Int {
        Int(self.next() % UInt64(bound))
    }

    mutating func chance(_ oneIn: Int) -> Bool {
        self.below(oneIn) == 0
    }

    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[self.below(elements.count)]
    }

    /// A text of that many characters out of an ASCII alphabet.
    mutating func text(_ count: ClosedRange<Int>, of alphabet: String) -> String {
        let characters = Array(alphabet)
        let length = count.lowerBound + self.below(count.count)
        return String((0..<length).map { _ in self.pick(characters) })
    }
}
