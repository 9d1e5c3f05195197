/// The place in which the protocol parameters are sent (RFC 5849, section 3.5).
package enum ParameterPlacement: String, CaseIterable, Sendable {
    /// The `Authorization` field (RFC 5849, section 3.5.1).
    case header
    /// The query of the request-target (RFC 5849, section 3.5.3).
    case query
    /// The body, which must be a form (RFC 5849, section 3.5.2).
    case body
}
