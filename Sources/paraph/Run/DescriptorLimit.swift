import Glibc
import ParaphConfiguration

/// How many files, connections among them, the process may have open (getrlimit(2)).
enum DescriptorLimit {
    /// What is open besides connections: files, listeners, event loops.
    private static let others = 256

    /// Raises the soft limit to what the configured limits need, as far as the hard one allows.
    ///
    /// - Returns: a sentence for the person who runs the proxy where that is not enough; nil: all is well.
    static func raise(for limits: Limits) -> String? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return nil }
        let needed = rlim_t(needed(for: limits))
        if limit.rlim_cur < needed {
            limit.rlim_cur = min(needed, limit.rlim_max)
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        guard limit.rlim_cur < needed else { return nil }
        let connections = (Int(limit.rlim_cur) - others) * 10 / 21
        return "this process may have \(limit.rlim_cur) files open, which is enough for about \(max(0, connections)) "
            + "connections at once, and limits.connections is \(limits.connections): raise the hard limit to \(needed) "
            + "(LimitNOFILE= of a systemd unit, ulimit -Hn in a shell), or lower limits.connections"
    }

    /// Each client's connection may have one upstream, and a tenth more are told that there are too many.
    private static func needed(for limits: Limits) -> Int {
        2 * limits.connections + max(64, limits.connections / 10) + others
    }
}
