import Bytes
import OpenTelemetry

/// The properties of a request that only its spans have; made only where requests are traced.
struct TracedRequest {
    /// The name of its trace, where that begins with it.
    let traceID = TraceID.random()
    /// The scheme that the client used; nil where it named none, as in CONNECT.
    var scheme: URIScheme?
    /// The scheme that is used upstream.
    var upstreamScheme: URIScheme?
}
