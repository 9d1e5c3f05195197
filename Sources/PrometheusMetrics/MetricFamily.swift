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
