/// The treatment of an Authorization field that the client sent.
package enum ExistingAuthorization: String, Hashable, Sendable, CaseIterable {
    case replace
    /// The request goes on as it came, unsigned.
    case keep
    case refuse
}
