/// The samples of one metric, all of them counters so far.
package struct MetricFamily: Sendable {
    package struct Sample: Sendable {
        /// Names and values, in the order they are shown in.
        package var labels: [(name: String, value: String)]
        package var value: Int

        package init(labels: [(name: String, value: String)], value: Int) {
            self.labels = labels
            self.value = value
        }
    }

    /// The name in snake case, with its unit, `_total` at the end.
    package var name: String
    /// A sentence.
    package var help: String
    package var samples: [Sample]

    package init(name: String, help: String, samples: [Sample]) {
        self.name = name
        self.help = help
        self.samples = samples
    }
}

extension MetricFamily {
    /// The text that Prometheus reads (text exposition format 0.0.4).
    var text: String {
        var text = "# HELP \(name) \(Self.escaped(help, quotes: false))\n# TYPE \(name) counter\n"
        for sample in samples {
            let labels = sample.labels.map { "\($0.name)=\"\(Self.escaped($0.value, quotes: true))\"" }
            text += "\(name)\(labels.isEmpty ? "" : "{\(labels.joined(separator: ","))}") \(sample.value)\n"
        }
        return text
    }

    private static func escaped(_ text: String, quotes: Bool) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\\": escaped += "\\\\"
            case "\n": escaped += "\\n"
            case "\"" where quotes: escaped += "\\\""
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }
}
