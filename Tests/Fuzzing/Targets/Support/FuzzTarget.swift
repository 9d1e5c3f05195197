/// A property of the code, checked with one input.
protocol FuzzTarget: SendableMetatype {
    /// The name of the target and of the folder with its corpus.
    static var name: String { get }

    /// Traps if the property does not hold for the input.
    static func check(_ input: [UInt8])
}

extension FuzzTarget {
    /// Traps with a message, which libFuzzer takes for a crash and keeps the input of.
    static func require(_ condition: Bool, _ message: @autoclosure () -> String, line: UInt = #line) {
        if !condition { fatalError("\(name): \(message())", line: line) }
    }
}
