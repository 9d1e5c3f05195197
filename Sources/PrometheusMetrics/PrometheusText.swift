/// The text that Prometheus reads: its text exposition format, version 0.0.4.
package enum PrometheusText {
    package static let contentType = "text/plain; version=0.0.4; charset=utf-8"

    package static func write(_ families: [MetricFamily]) -> String {
        var text = ""
        for family in families { write(family, to: &text) }
        return text
    }

    private static func write(_ family: MetricFamily, to text: inout String) {
        let name = family.description.name
        text += "# HELP \(name) \(escaped(family.description.help, quotes: false))\n"
        text += "# TYPE \(name) \(family.description.kind.rawValue)\n"
        for sample in family.samples {
            switch sample.value {
            case .integer(let value): line(name, sample.labels, "\(value)", to: &text)
            case .number(let value): line(name, sample.labels, number(value), to: &text)
            case .histogram(let value): write(value, name, sample.labels, to: &text)
            }
        }
    }

    private static func write(
        _ histogram: HistogramValue,
        _ name: String,
        _ labels: [(name: String, value: String)],
        to text: inout String
    ) {
        var total = 0
        for (bound, count) in zip(HistogramBuckets.texts + ["+Inf"], histogram.counts) {
            total += count
            line("\(name)_bucket", labels + [("le", bound)], "\(total)", to: &text)
        }
        line("\(name)_sum", labels, number(histogram.sum), to: &text)
        line("\(name)_count", labels, "\(total)", to: &text)
    }

    private static func line(
        _ name: String,
        _ labels: [(name: String, value: String)],
        _ value: String,
        to text: inout String
    ) {
        text += name
        if !labels.isEmpty {
            text += "{"
            for (index, label) in labels.enumerated() {
                text += "\(index == 0 ? "" : ",")\(label.name)=\"\(escaped(label.value, quotes: true))\""
            }
            text += "}"
        }
        text += " \(value)\n"
    }

    private static func number(_ value: Double) -> String {
        if value.isNaN { return "NaN" }
        if value.isInfinite { return value < 0 ? "-Inf" : "+Inf" }
        return Int(exactly: value).map(String.init) ?? "\(value)"
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            // Prometheus takes it for the end of the text.
            case "\0": escaped += "\u{FFFD}"
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
