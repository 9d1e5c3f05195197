import Foundation
import Glibc
import PrometheusMetrics
import Testing

@testable import paraph

@Suite("Metrics of the process")
struct ProcessMetricsTests {
    private func values() -> [String: Double] {
        let found = ProcessMetrics.families().flatMap { family in
            family.samples.map { sample -> (String, Double) in
                guard case .number(let value) = sample.value else { return (family.description.name, .nan) }
                return (family.description.name, value)
            }
        }
        return Dictionary(found, uniquingKeysWith: { first, _ in first })
    }

    @Test("are those that every client library has, of this process")
    func known() throws {
        let values = values()
        #expect(
            Set(values.keys) == [
                "process_cpu_seconds_total", "process_resident_memory_bytes", "process_virtual_memory_bytes",
                "process_start_time_seconds", "process_open_fds", "process_max_fds",
            ]
        )
        #expect(try #require(values["process_cpu_seconds_total"]) > 0)
        let resident = try #require(values["process_resident_memory_bytes"])
        let virtual = try #require(values["process_virtual_memory_bytes"])
        #expect(1_000_000 < resident && resident < virtual)
        let start = try #require(values["process_start_time_seconds"])
        #expect(start < Date().timeIntervalSince1970 + 1 && start > 1_700_000_000)
        let (open, most) = try (#require(values["process_open_fds"]), #require(values["process_max_fds"]))
        #expect(0 < open && open <= most)
    }

    @Test("The fields of a status are found behind any name of a program")
    func status() {
        let rest = "S 1 2 3 4 5 6 7 8 9 10 300 40 15 16 17 18 19 20 5000 60000 70 18446744073709551615"
        for name in ["paraph", ") R 1 (", "a b", ""] {
            let status = ProcessStatus(parsing: "12 (\(name)) \(rest)")
            #expect(status?.cpuTicks == 340)
            #expect(status?.startTicks == 5000)
            #expect(status?.virtualBytes == 60_000)
            #expect(status?.residentPages == 70)
        }
        #expect(ProcessStatus(parsing: "12 (paraph) S 1 2") == nil)
        #expect(ProcessStatus(parsing: "") == nil)
        #expect(ProcessStatus.bootTime(parsing: "cpu 1 2\nbtime 1700000000\nprocesses 3\n") == 1_700_000_000)
        #expect(ProcessStatus.bootTime(parsing: "cpu 1 2\n") == nil)
    }
}
