/// The credentials that a request for a protected resource has to carry.
package enum ResourceProtection: Sendable, CaseIterable {
    /// `Authorization: OAuth …`, or the same parameters in the query or the form.
    case oauth1
    /// `Authorization: Bearer …` (RFC 6750).
    case bearer
    /// `Authorization: Token token="…"`, as oPRO has it.
    case tokenParameter
}
