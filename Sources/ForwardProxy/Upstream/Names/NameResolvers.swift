import NIOPosix

/// The look-ups of names, with threads apart for those that the configuration names and those that clients name:
/// however many of the latter nobody answers, the former go on.
struct NameResolvers: Sendable {
    /// The look-ups for hosts of APIs that are named one by one, token endpoints, and upstream proxies.
    let configured: NameLookups
    /// The look-ups for hosts under an API's wildcard, and those of no API.
    let others: NameLookups

    /// - Parameter lineLimit: How many of the latter may wait for a thread.
    init(clock: any ProxyClock, lineLimit: Int, resolve: @escaping NameLookups.Resolve) {
        configured = NameLookups(clock: clock, count: 8, resolve: resolve)
        others = NameLookups(clock: clock, count: 16, lineLimit: lineLimit, resolve: resolve)
    }

    /// Makes the resolvers for a command, which looks up what the configuration names.
    init(ofCommand clock: any ProxyClock, resolve: @escaping NameLookups.Resolve = SystemAddresses.of(_:port:)) {
        configured = NameLookups(clock: clock, threads: .singleton, count: 8, resolve: resolve)
        others = configured
    }

    func start() {
        configured.start()
        others.start()
    }

    func shutdown() {
        configured.shutdown()
        others.shutdown()
    }
}
