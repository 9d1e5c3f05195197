/// The numbers of connections to the hosts of one API, and of the requests that wait for one.
package struct UpstreamConnectionCounts: Equatable, Sendable, Decodable {
    /// Connections that carry no request.
    package var idle: Int
    /// Connections that carry a request, or several by HTTP/2, and those that a client has authenticated as its own.
    package var inUse: Int
    /// Requests that wait for a connection that may turn out to be shared.
    package var waiting: Int

    package init(idle: Int = 0, inUse: Int = 0, waiting: Int = 0) {
        self.idle = idle
        self.inUse = inUse
        self.waiting = waiting
    }

    package static func += (sum: inout Self, more: Self) {
        sum.idle += more.idle
        sum.inUse += more.inUse
        sum.waiting += more.waiting
    }
}
