/// When `oauth_body_hash` is computed and sent (the OAuth Request Body Hash extension).
package enum BodyHashPolicy: String, CaseIterable, Sendable {
    /// Never.
    case off
    /// For a body that is not empty and not a form; a form's parameters are signed one by one instead, as the
    /// extension demands.
    case on
    /// For every request: the empty body too, and a form, whose parameters are then covered by the hash alone and
    /// not signed one by one. This is what Mastercard's servers verify.
    case always
}
