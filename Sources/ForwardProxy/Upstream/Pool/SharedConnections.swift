import NIOCore

/// The open connections to one target that speak HTTP/2, and the choice of one of them for a request.
struct SharedConnections {
    private var handlers: [HTTP2UpstreamHandler] = []
    /// The proxy itself, among those whom connections are counted for.
    private let own: ClientUsage

    init(own: ClientUsage) {
        self.own = own
    }

    var isEmpty: Bool { handlers.isEmpty }
    var count: Int { handlers.count }
    /// The number of those that carry no request.
    var idleCount: Int { handlers.count { $0.idleSince != nil } }

    /// Indicates whether it is not known yet of one of them how many requests it takes.
    var isAwaitingSettings: Bool { handlers.contains(where: \.isAwaitingSettings) }

    var hasFreePlaces: Bool { handlers.contains { $0.freePlaces > 0 } }

    /// Indicates whether there are places, and none of them with room for a body.
    var lacksWindowsAlone: Bool {
        let withPlaces = handlers.lazy.filter { $0.freePlaces > 0 }
        return !withPlaces.isEmpty && !withPlaces.contains(where: \.hasRoomForBodies)
    }

    mutating func append(_ handler: HTTP2UpstreamHandler) {
        handlers.append(handler)
    }

    mutating func remove(_ handler: HTTP2UpstreamHandler) {
        handlers.removeAll { $0 === handler }
    }

    mutating func takeAll() -> [HTTP2UpstreamHandler] {
        defer { handlers.removeAll() }
        return handlers
    }

    /// Returns the connection that has carried no request for the longest time.
    ///
    /// - Parameter client: The client that it has to be counted for; nil: anybody.
    func longestIdle(of client: ClientUsage?) -> HTTP2UpstreamHandler? {
        handlers.lazy
            .filter { $0.idleSince != nil && (client == nil || $0.claim.usage === client) }
            .min { $0.idleSince ?? .distantFuture < $1.idleSince ?? .distantFuture }
    }

    // MARK: Places

    /// A place on a connection that has room, and that the client may use.
    ///
    /// - Parameter sendsBody: Whether the request has a body, for which there must be room in the windows.
    func leasePlace(for usage: ClientUsage, sendsBody: Bool) -> HTTP2UpstreamStream? {
        guard !handlers.isEmpty else { return nil }
        let client = clientOrNil(usage)
        let isConfined = isConfined(client, sendsBody: sendsBody)
        return placed(sendsBody, client) { handler in
            handler.freePlaces > 0 && (!sendsBody || handler.hasRoomForBodies)
                && (!isConfined || handler.claim.usage === usage) && handler.admits(client, sendsBody: sendsBody)
        }
    }

    /// A place for a request that no connection could be made for: beside uploads that are not read, which leave it
    /// little room for a body of its own.
    func leaseLastResort(for usage: ClientUsage, sendsBody: Bool) -> HTTP2UpstreamStream? {
        let client = clientOrNil(usage)
        let isConfined = isConfined(client, sendsBody: sendsBody)
        return placed(sendsBody, client) { handler in
            handler.freePlaces > 0 && (!isConfined || handler.claim.usage === usage) && handler.mayShare(client)
        }
    }

    /// Ceases to count a connection that others have filled among those that a client uses.
    ///
    /// - Returns: False where there is none.
    func uncountFull(for client: ClientUsage) -> Bool { handlers.contains { $0.uncountIfFull(for: client) } }

    /// A place on a connection that was made for the request.
    func leasePlace(on handler: HTTP2UpstreamHandler, for usage: ClientUsage, sendsBody: Bool) -> HTTP2UpstreamStream? {
        handler.claim.pass(to: usage)
        guard handler.freePlaces > 0 else { return nil }
        return handler.leasePlace(for: clientOrNil(usage), sendsBody: sendsBody)
    }

    /// - Returns: Nil for the proxy itself.
    private func clientOrNil(_ usage: ClientUsage) -> ClientUsage? { usage === own ? nil : usage }

    /// Indicates whether a client keeps to its own connections: its bodies, which may not be read, fill no others.
    private func isConfined(_ client: ClientUsage?, sendsBody: Bool) -> Bool {
        guard sendsBody, let client else { return false }
        return handlers.contains { $0.isFull(by: client) }
    }

    /// A place on the first connection that will do: of those that are counted for the client already, then of the
    /// others. Bodies that come together go to as many connections as there are.
    private func placed(
        _ sendsBody: Bool,
        _ client: ClientUsage?,
        where willDo: (HTTP2UpstreamHandler) -> Bool
    ) -> HTTP2UpstreamStream? {
        var handlers = handlers
        if sendsBody, handlers.count > 1 { handlers.sort { $1.freeWindow < $0.freeWindow } }
        let own = client.flatMap { client in handlers.first { $0.claim.usage === client && willDo($0) } }
        return (own ?? handlers.first(where: willDo))?.leasePlace(for: client, sendsBody: sendsBody)
    }
}

@available(*, unavailable)
extension SharedConnections: Sendable {}
