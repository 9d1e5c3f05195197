/// The action for a path without a pin. Everything else that is wrong with a chain is refused always.
package enum PinFailureAction: String, CaseIterable, Sendable {
    case refuse
    /// The connection is used; the failure is told.
    case report
}
