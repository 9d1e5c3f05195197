import Credentials
import Routing

/// The place that an upstream connection leads to, and the way there.
struct UpstreamDestination: Sendable {
    let authority: Authority
    /// The authority that is connected to instead; nil: none.
    var connectTo: Authority?
    /// The other proxy that the connection is made through; nil: none.
    var proxy: UpstreamProxy?
}
