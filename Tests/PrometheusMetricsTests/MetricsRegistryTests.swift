import CoreMetrics
import Testing

@testable import PrometheusMetrics

@Suite("The registry of metrics")
struct MetricsRegistryTests {
    private static let things = MetricDescription("paraph_things_total", .counter, "Things.")
    private static let time = MetricDescription("paraph_thing_seconds", .histogram, "The time of a thing.")
    private static let level = MetricDescription("paraph_level", .gauge, "A level.")

    @Test("One metric with the same labels is the same wherever it is made, and is added up over registries")
    func addsUp() {
        let (one, other) = (MetricsRegistry(), MetricsRegistry())
        for registry in [one, one, other] {
            Counter(label: Self.things.name, dimensions: [("api", "b")], factory: registry).increment(by: 2)
        }
        Counter(label: Self.things.name, dimensions: [("api", "a")], factory: other).increment()
        let families = MetricsRegistry.families(of: [one, other], [Self.things, Self.level])
        #expect(families.map(\.description.name) == [Self.things.name, Self.level.name])
        #expect(families[1].samples.isEmpty)
        #expect(families[0].samples.map { $0.labels[0].value } == ["a", "b"])
        #expect(families[0].samples.map(\.value) == [.integer(1), .integer(6)])
    }

    @Test(
        "A duration is counted in its bucket, bounds included, and in all above it",
        arguments: [
            (0, 0), (5_000_000, 0), (5_000_001, 1), (1_000_000_000, 9), (10_000_000_000, 13), (10_000_000_001, 14),
            (Int64.max / 2, 14),
        ] as [(Int64, Int)]
    )
    func buckets(nanoseconds: Int64, index: Int) throws {
        let registry = MetricsRegistry()
        Timer(label: Self.time.name, factory: registry).recordNanoseconds(nanoseconds)
        let family = try #require(MetricsRegistry.families(of: [registry], [Self.time]).first)
        var counts = Array(repeating: 0, count: 15)
        counts[index] = 1
        #expect(
            family.samples.map(\.value) == [.histogram(HistogramValue(counts: counts, sum: Double(nanoseconds) / 1e9))]
        )
        let text = PrometheusText.write([family])
        let lines = text.split(separator: "\n").filter { $0.contains("_bucket") }
        #expect(lines.map { $0.hasSuffix(" 1") } == (0..<15).map { $0 >= index })
        #expect(text.contains("paraph_thing_seconds_bucket{le=\"+Inf\"} 1\n"))
        #expect(text.hasSuffix("paraph_thing_seconds_count 1\n"))
    }

    @Test("A gauge keeps its last value")
    func gauges() {
        let registry = MetricsRegistry()
        let gauge = Gauge(label: Self.level.name, factory: registry)
        gauge.record(2.5)
        gauge.record(3)
        Gauge(label: "paraph_other", factory: registry).record(7)
        #expect(MetricsRegistry.families(of: [registry], [Self.level])[0].samples.map(\.value) == [.number(3)])
    }
}
