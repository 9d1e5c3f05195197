/// The number of times that the upstreams of an API failed their TLS policy for one reason.
package struct TrustFailureCount: Sendable, Equatable {
    package var api: String
    /// One of a bounded set: the label of a `TrustFailure`.
    package var reason: String
    /// Indicates whether the connection was used all the same (`on_failure: report`).
    package var isReported: Bool
    package var count: Int
}
