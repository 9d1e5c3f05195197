import NIOCore

/// Finds connections of clients that are kept between requests, for requests of the same clients that need a connection
/// upstream: a client whose share its own idle connections take up would otherwise have its requests refused. One on
/// which nothing has been answered yet is left alone: its request may be on its way, and would be lost without an
/// answer.
final class IdleClients {
    /// The time for which nobody looks again where a client had none: that takes long among many.
    private static let pause = TimeAmount.milliseconds(20)

    private let clock: any ProxyClock
    private var barren: (client: ObjectIdentifier, until: NIODeadline)?

    init(clock: any ProxyClock) {
        self.clock = clock
    }

    /// Closes the connection of a client that has been idle for longest.
    ///
    /// - Returns: False when there is none.
    func closeOne(of client: ClientUsage, among connections: ClientSet) -> Bool {
        let now = clock.coarseNow
        if let barren, barren.client == ObjectIdentifier(client), now < barren.until { return false }
        let idle = connections.lazy.filter {
            $0.keptSince != nil && $0.usage(of: $0.clientName) === client && $0.mayGiveWay
        }
        guard let longest = idle.min(by: { ($0.keptSince ?? now) < ($1.keptSince ?? now) }) else {
            barren = (ObjectIdentifier(client), now + Self.pause)
            return false
        }
        longest.giveWay()
        return true
    }
}

@available(*, unavailable)
extension IdleClients: Sendable {}
