/// The value of one sample.
package enum MetricValue: Sendable, Equatable {
    case integer(Int)
    case number(Double)
    case histogram(HistogramValue)

    /// Returns the sum of two values of one metric.
    static func + (left: MetricValue, right: MetricValue) -> MetricValue {
        switch (left, right) {
        case (.integer(let left), .integer(let right)): .integer(left &+ right)
        case (.histogram(let left), .histogram(let right)): .histogram(left + right)
        default: .number(left.double + right.double)
        }
    }

    private var double: Double {
        switch self {
        case .integer(let value): Double(value)
        case .number(let value): value
        case .histogram(let value): value.sum
        }
    }
}
