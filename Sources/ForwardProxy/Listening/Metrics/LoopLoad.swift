import Inspection

/// The tunnels and upstream connections that there are on one event loop at the moment.
struct LoopLoad: Sendable, Equatable {
    var tunnels = 0
    /// The pools of upstream connections by API; empty: hosts of no API.
    var pools: [String: UpstreamConnectionCounts] = [:]
}
