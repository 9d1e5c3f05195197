/// A reason for which the comparison would say nothing.
struct InvalidComparison: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
