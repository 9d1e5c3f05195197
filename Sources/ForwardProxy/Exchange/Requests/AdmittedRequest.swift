import Routing

/// A request that becomes an exchange: its route as the router has it, and what was found for that on its way.
struct AdmittedRequest {
    let route: RequestRoute
    /// The connections to the upstream.
    let connections: TargetPool
    /// The counters that count it; nil: it is not counted.
    let admission: RequestAdmission?
}

@available(*, unavailable)
extension AdmittedRequest: Sendable {}
