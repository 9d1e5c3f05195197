import NIOCore

/// Finds connections of clients that are kept between requests, for requests of the same clients that need a connection
/// upstream: a client whose share its own idle connections take up would otherwise have its requests refused. One on
/// which nothing has been answered yet is left alone: its request may be on its way, and would be lost without an
/// answer.
final class IdleClients {
    private let clock: any ProxyClock
    private var pause = SearchPause()

    init(clock: any ProxyClock) {
        self.clock = clock
    }

    /// Closes the connection of a client that has been idle for longest.
    ///
    /// - Returns: False when there is none.
    func closeOne(of client: ClientUsage, among connections: ClientSet) -> Bool {
        let now = clock.coarseNow
        if pause.holds(for: client, at: now) { return false }
        let idle = connections.lazy.filter {
            $0.keptSince != nil && $0.usage(of: $0.clientName) === client && $0.mayGiveWay
        }
        guard let longest = idle.min(by: { ($0.keptSince ?? now) < ($1.keptSince ?? now) }) else {
            pause.searched(for: client, found: false, at: now)
            return false
        }
        longest.giveWay()
        return true
    }
}

@available(*, unavailable)
extension IdleClients: Sendable {}
