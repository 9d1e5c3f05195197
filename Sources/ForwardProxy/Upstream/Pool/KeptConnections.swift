import NIOCore

/// The connections to one target that speak HTTP/1.1 and are idle, and the end of those that nobody needs.
final class KeptConnections {
    /// Connections that are closed in one turn of the event loop, and the time until the next ones.
    private static let closedAtOnce = 16
    private static let closingPause = TimeAmount.milliseconds(5)

    private let connector: TargetConnector
    private let retention: Retention
    private var idle: IdleConnections<UpstreamConnection>
    /// Indicates whether a timer is set after which the unneeded ones are closed. Independent of what is idle: it goes on
    /// though all have been taken.
    private var isWatched = false

    /// - Parameters:
    ///   - limit: The number of those that are kept though nobody uses them.
    ///   - retention: The retention of all targets of the event loop.
    init(limit: Int, retention: Retention, connector: TargetConnector) {
        self.connector = connector
        self.retention = retention
        idle = IdleConnections(limit: limit)
    }

    var isEmpty: Bool { idle.isEmpty }
    var count: Int { idle.count }

    var limit: Int { idle.limit }

    // MARK: Use

    /// Takes the newest; where the client may have no more connections, the newest of its own.
    func take(for client: ClientUsage) -> UpstreamConnection? {
        while let connection = idle.takeNewest() {
            guard connection.isUsable else {
                connection.close()
                continue
            }
            if connection.claim.move(to: client) { return connection }
            let own = idle.takeNewest { $0.isUsable && $0.claim.usage === client }
            idle.append(connection)
            return own
        }
        return nil
    }

    /// Keeps one that was taken and not used.
    func putBack(_ connection: UpstreamConnection) {
        idle.append(connection)
    }

    /// Keeps a connection; one over the limit until it is clear that nobody uses it.
    func keep(_ connection: UpstreamConnection) {
        idle.append(connection)
        if idle.surplus > 0, !isWatched { watch() }
    }

    /// A connection is gone.
    func remove(_ connection: UpstreamConnection) {
        idle.remove(connection)
    }

    func takeAll() -> [UpstreamConnection] { idle.takeAll() }

    // MARK: End

    /// Closes the oldest one.
    ///
    /// - Parameter client: The client that it has to be counted for; nil: anybody.
    /// - Returns: False when there is none.
    func closeOldest(of client: ClientUsage?) -> Bool {
        let oldest = idle.takeOldest { client == nil || $0.claim.usage === client }
        oldest?.close()
        return oldest != nil
    }

    /// Indicates whether there are more than the limit.
    var hasSurplus: Bool { idle.surplus > 0 }

    /// Closes the oldest one, if there are more than the limit.
    func closeOneOfSurplus() {
        for connection in idle.takeOldest(min(1, idle.surplus)) { connection.close() }
    }

    func closeSurplus() {
        closeGradually(idle.takeOldest(idle.surplus)[...])
    }

    private func watch() {
        if !isWatched { retention.surplusBegan(at: self) }
        isWatched = true
        idle.startWatching()
        connector.schedule(in: connector.surplusTime) { [self] in closeUnneeded() }
    }

    /// A few at a time: the end of a TLS connection is work, and other connections wait for their turn.
    private func closeUnneeded() {
        for connection in idle.takeOldest(min(idle.unneeded, Self.closedAtOnce)) { connection.close() }
        if idle.unneeded > 0 {
            connector.schedule(in: Self.closingPause) { [self] in closeUnneeded() }
        } else if idle.surplus > 0 {
            watch()
        } else {
            isWatched = false
            retention.surplusEnded(at: self)
        }
    }

    /// The same of connections that nobody can use any more.
    private func closeGradually(_ connections: ArraySlice<UpstreamConnection>) {
        for connection in connections.prefix(Self.closedAtOnce) { connection.close() }
        let rest = connections.dropFirst(Self.closedAtOnce)
        guard !rest.isEmpty else { return }
        connector.schedule(in: Self.closingPause) { [self] in closeGradually(rest) }
    }
}

@available(*, unavailable)
extension KeptConnections: Sendable {}

extension KeptConnections {
    /// The keeping of connections at all targets of one event loop, as long as any are kept.
    ///
    /// A new connection takes the place of one that is not kept for long. So there are never more connections, but for
    /// those that are, than requests were in flight at once, and what a burst to one host has left takes no files from
    /// others.
    final class Retention {
        private enum State {
            /// - Parameter surplus: The targets with more idle connections than are kept for long.
            case keeping(surplus: [KeptConnections])
            case over
        }

        private var state = State.keeping(surplus: [])

        /// Indicates whether nothing is kept any more.
        var isOver: Bool {
            if case .over = state { true } else { false }
        }

        /// Keeps nothing from now on.
        func end() {
            state = .over
        }

        func surplusBegan(at target: KeptConnections) {
            guard case .keeping(let surplus) = state else { return }
            state = .keeping(surplus: surplus + [target])
        }

        func surplusEnded(at target: KeptConnections) {
            guard case .keeping(let surplus) = state else { return }
            state = .keeping(surplus: surplus.filter { $0 !== target })
        }

        /// Makes room before a connection is made.
        func makeRoom() {
            guard case .keeping(let surplus) = state else { return }
            surplus.first { $0.hasSurplus }?.closeOneOfSurplus()
        }
    }
}

@available(*, unavailable)
extension KeptConnections.Retention: Sendable {}
