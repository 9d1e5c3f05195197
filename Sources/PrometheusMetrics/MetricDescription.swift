/// The name, the kind and the meaning of a metric: the part that a `MetricsFactory` is not told.
package struct MetricDescription: Sendable {
    /// The name in snake case, with its unit in base units; `_total` at the end of a counter's.
    package var name: String
    package var kind: MetricKind
    /// A sentence.
    package var help: String

    package init(_ name: String, _ kind: MetricKind, _ help: String) {
        self.name = name
        self.kind = kind
        self.help = help
    }
}

/// The kinds of Prometheus's metrics that there are here, by the names of its text format.
package enum MetricKind: String, Sendable {
    case counter
    case gauge
    case histogram
}
