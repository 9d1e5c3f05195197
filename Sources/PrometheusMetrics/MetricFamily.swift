/// The samples of one metric at one moment.
package struct MetricFamily: Sendable {
    package struct Sample: Sendable {
        /// Names and values, in the order they are shown in.
        package var labels: [(name: String, value: String)]
        package var value: MetricValue

        package init(labels: [(name: String, value: String)] = [], value: MetricValue) {
            self.labels = labels
            self.value = value
        }

        package init(labels: [(name: String, value: String)] = [], value: Int) {
            self.init(labels: labels, value: .integer(value))
        }
    }

    package var description: MetricDescription
    package var samples: [Sample]

    package init(_ description: MetricDescription, samples: [Sample]) {
        self.description = description
        self.samples = samples
    }

    package init(_ name: String, _ kind: MetricKind, _ help: String, samples: [Sample]) {
        self.init(MetricDescription(name, kind, help), samples: samples)
    }

    /// A gauge without labels.
    package init(gauge name: String, _ help: String, _ value: Int) {
        self.init(name, .gauge, help, samples: [Sample(value: value)])
    }
}

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

/// The counts of a histogram at one moment.
package struct HistogramValue: Sendable, Equatable {
    /// The number of observations in each bucket, by itself; the last one is for those above every bound.
    package var counts: [Int]
    /// The sum of all observations, in seconds.
    package var sum: Double

    package init(counts: [Int], sum: Double) {
        self.counts = counts
        self.sum = sum
    }

    static func + (left: HistogramValue, right: HistogramValue) -> HistogramValue {
        HistogramValue(counts: zip(left.counts, right.counts).map { $0 &+ $1 }, sum: left.sum + right.sum)
    }
}
