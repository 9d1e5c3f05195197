import Testing

@testable import AdminServer

@Suite("A metric as text")
struct MetricFamilyTests {
    @Test("Labels and help are escaped as the exposition format wants it")
    func escapes() {
        let family = MetricFamily(
            name: "paraph_things_total",
            help: "Things: \"a\\b\"\nand more.",
            samples: [
                MetricFamily.Sample(labels: [], value: 1),
                MetricFamily.Sample(labels: [("one", "\"a\\b\"\nc"), ("two", "")], value: 2),
            ]
        )
        #expect(
            family.text == #"""
                # HELP paraph_things_total Things: "a\\b"\nand more.
                # TYPE paraph_things_total counter
                paraph_things_total 1
                paraph_things_total{one="\"a\\b\"\nc",two=""} 2

                """#
        )
    }
}
