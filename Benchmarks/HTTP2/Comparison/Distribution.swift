/// Values of the same thing from several rounds.
struct Distribution: CustomStringConvertible {
    private let sorted: [Double]

    init(_ values: [Double]) {
        sorted = values.sorted()
    }

    var description: String {
        guard let least = sorted.first, let most = sorted.last else { return "-" }
        return "\(Self.text(sorted[sorted.count / 2])) (\(Self.text(least))–\(Self.text(most)))"
    }

    private static func text(_ value: Double) -> String {
        let hundredths = Int((value * 100).rounded())
        let fraction = hundredths % 100
        return "\(hundredths / 100).\(fraction < 10 ? "0" : "")\(fraction)"
    }
}
