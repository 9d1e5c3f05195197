/// The policy for computing and sending `oauth_body_hash` (the OAuth Request Body Hash extension).
package enum BodyHashPolicy: String, CaseIterable, Sendable {
    /// Never.
    case off
    /// The hash is sent for a body that is not empty and not a form; a form's parameters are signed one by one instead,
    /// as the extension demands.
    case on
    /// The hash is sent for every request: the empty body too, and a form, whose parameters are then covered by it
    /// alone and not signed one by one. This is what Mastercard's servers verify.
    case always
}
