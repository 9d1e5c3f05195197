/// A reason for which the comparison would say nothing.
struct ComparisonError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}
