import Testing

@testable import PrometheusMetrics

@Suite("Metrics as text")
struct PrometheusTextTests {
    @Test("Labels and help are escaped as the exposition format wants it")
    func escapes() {
        let family = MetricFamily(
            "paraph_things_total",
            .counter,
            "Things: \"a\\b\"\nand more.",
            samples: [
                MetricFamily.Sample(value: 1),
                MetricFamily.Sample(labels: [("one", "\"a\\b\"\nc"), ("two", "")], value: 2),
                MetricFamily.Sample(labels: [("one", "a\0b")], value: 3),
            ]
        )
        #expect(
            PrometheusText.write([family]) == #"""
                # HELP paraph_things_total Things: "a\\b"\nand more.
                # TYPE paraph_things_total counter
                paraph_things_total 1
                paraph_things_total{one="\"a\\b\"\nc",two=""} 2
                paraph_things_total{one="a�b"} 3

                """#
        )
    }

    @Test(
        "A number is written as it is, and what is none as Prometheus reads it",
        arguments: [
            (0.25, "0.25"), (3, "3"), (1e21, "1e+21"), (.infinity, "+Inf"), (-.infinity, "-Inf"), (.nan, "NaN"),
        ]
    )
    func numbers(value: Double, text: String) {
        let family = MetricFamily("paraph_things", .gauge, "Things.", samples: [.init(value: .number(value))])
        #expect(PrometheusText.write([family]).hasSuffix("\nparaph_things \(text)\n"))
    }
}
