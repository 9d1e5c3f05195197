/// The origin of a signed parameter (RFC 5849, section 3.4.1.3.1).
package enum ParameterOrigin: String, Sendable {
    case query
    case form
    /// Added by the signer, or read from the `Authorization` field.
    case `protocol`
}
