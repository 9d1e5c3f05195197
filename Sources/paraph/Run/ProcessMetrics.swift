import Files
import Glibc
import PrometheusMetrics
import SystemPackage

/// The system's figures of this process, by the names that Prometheus's client libraries have for them.
enum ProcessMetrics {
    /// Reads it; blocks the thread for a moment. What cannot be read is left out.
    static func families() -> [MetricFamily] {
        var families: [MetricFamily] = []
        if let status = read("/proc/self/stat").flatMap(ProcessStatus.init(parsing:)) {
            let ticks = Double(max(1, sysconf(Int32(_SC_CLK_TCK))))
            families += [
                family(
                    "process_cpu_seconds_total",
                    .counter,
                    "Total user and system CPU time spent in seconds.",
                    Double(status.cpuTicks) / ticks
                ),
                family(
                    "process_resident_memory_bytes",
                    .gauge,
                    "Resident memory size in bytes.",
                    Double(status.residentPages * Int(getpagesize()))
                ),
                family(
                    "process_virtual_memory_bytes",
                    .gauge,
                    "Virtual memory size in bytes.",
                    Double(status.virtualBytes)
                ),
            ]
            if let boot = read("/proc/stat").flatMap(ProcessStatus.bootTime(parsing:)) {
                families.append(
                    family(
                        "process_start_time_seconds",
                        .gauge,
                        "Start time of the process since unix epoch in seconds.",
                        Double(boot) + Double(status.startTicks) / ticks
                    )
                )
            }
        }
        if let files = openFiles {
            families.append(
                family("process_open_fds", .gauge, "Number of open file descriptors.", Double(files))
            )
        }
        var limit = rlimit()
        if getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit) == 0 {
            families.append(
                family(
                    "process_max_fds",
                    .gauge,
                    "Maximum number of open file descriptors.",
                    Double(limit.rlim_cur)
                )
            )
        }
        return families
    }

    private static func family(_ name: String, _ kind: MetricKind, _ help: String, _ value: Double) -> MetricFamily {
        MetricFamily(name, kind, help, samples: [MetricFamily.Sample(value: .number(value))])
    }

    private static func read(_ path: String) -> String? {
        (try? FileContents.read(path)).map { String(decoding: $0, as: UTF8.self) }
    }

    /// The two that the folder is read by are not counted.
    private static var openFiles: Int? {
        (try? Directory(path: "/proc/self/fd").names()).map { max(0, $0.count - 2) }
    }
}
