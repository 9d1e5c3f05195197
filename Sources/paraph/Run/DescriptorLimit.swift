import ForwardProxy
import Glibc
import NIOPosix
import ParaphConfiguration
import Settings

/// The number of files, connections among them, that the process may have open (getrlimit(2)).
struct DescriptorLimit {
    /// The number of files that may come besides connections to what is open at the start: a socket for each of the 24
    /// look-ups of names that may be under way, listeners, watched directories, and what a reload has open beside what
    /// it replaces.
    private static let later = 48
    private static let mostAdminConnections = 2048
    /// The fewest connections that are of use: there are as many even where the files do not suffice, which is told.
    private static let fewestConnections = 16
    private static let fewestShared = 32

    /// Files that were open before anything listened: those that were inherited, and three for each event loop, of
    /// which there are as many as processors.
    private static let atStart: Int = {
        _ = MultiThreadedEventLoopGroup.singleton
        return (0..<1024).count { fcntl($0, F_GETFD) != -1 }
    }()

    /// The soft limit; nil: it is not known.
    private let files: Int?
    private let configured: Int
    /// The number of files that are open besides connections.
    private let others: Int

    /// Raises the soft limit to the hard one: how many are needed cannot be told, for an HTTP/2 client may have a
    /// connection upstream for each of its requests in flight.
    init(raisedFor limits: ProxyLimits) {
        self.init(files: Self.raised(), configured: limits.connections, atStart: Self.atStart)
    }

    init(files: Int?, configured: Int, atStart: Int) {
        self.files = files
        self.configured = configured
        others = atStart + Self.later
    }

    private static func raised() -> Int? {
        var limit = rlimit()
        let resource = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        guard getrlimit(resource, &limit) == 0 else { return nil }
        if limit.rlim_cur < limit.rlim_max {
            limit.rlim_cur = limit.rlim_max
            setrlimit(resource, &limit)
            getrlimit(resource, &limit)
        }
        return Int(clamping: limit.rlim_cur)
    }

    /// Client connections at once that the process has the files for. More are not taken: without a file to spare it
    /// could not accept, nor turn away, nor reach an upstream.
    var connections: Int {
        guard let files, files < self.files(for: configured) else { return configured }
        // By either rule of `surplus(_:)`.
        let rest = files - others - adminConnections
        return min(configured, max(Self.fewestConnections, min(rest * 20 / 27, (rest - 64) * 4 / 5)))
    }

    /// Connections at once that the admin listener takes: an eighth at most, so that it takes nothing from clients, and
    /// they nothing from it.
    var adminConnections: Int { min(Self.mostAdminConnections, max(16, (files ?? .max) / 8)) }

    /// Connections of clients and upstream ones that there are files for. The rest is for the admin listener, for
    /// clients that are told why they are not served, and for files.
    var shared: Int {
        guard let files else { return ProxyLimits().openConnections }
        return max(Self.fewestShared, files - others - adminConnections - Self.surplus(connections))
    }

    /// A sentence for the person who runs the proxy; nil: all is well.
    var warning: String? {
        guard let files, connections < configured else { return nil }
        let least = others + adminConnections + Self.surplus(Self.fewestConnections) + Self.fewestShared
        if files < least {
            return "this process may have only \(files) files open, and needs \(least) to serve a single client "
                + "reliably: raise the hard limit, to \(self.files(for: configured)) for limits.connections, "
                + "\(configured) (LimitNOFILE= of a systemd unit, ulimit -Hn in a shell)"
        }
        return "this process may have only \(files) files open, so that no more than \(connections) connections are "
            + "taken at once, and not limits.connections, \(configured): raise the hard limit to "
            + "\(self.files(for: configured)) (LimitNOFILE= of a systemd unit, ulimit -Hn in a shell), or lower "
            + "limits.connections"
    }

    /// Returns the files that so many connections need. Most clients are idle: a quarter of them is taken to have a
    /// connection upstream.
    private func files(for connections: Int) -> Int {
        let files = connections + connections / 4 + Self.surplus(connections) + others
        return min(files * 8 / 7 + 1, files + Self.mostAdminConnections)
    }

    /// Clients over the limit, who are told so.
    private static func surplus(_ connections: Int) -> Int { max(64, connections / 10) }
}

extension ProxySettings {
    /// Returns the settings with no more connections than the process may have open.
    func within(_ descriptors: DescriptorLimit) -> ProxySettings {
        var settings = self
        settings.limits.connections = descriptors.connections
        settings.limits.openConnections = descriptors.shared
        return settings
    }
}
