package import FoundationEssentials

/// The pins of a provider. A connection is accepted when a certificate of its *validated* path has one of them.
package struct PinningPolicy: Equatable, Sendable {
    package var mode: PinningMode
    /// With none at all no chain has a pin.
    package var pins: [Pin]
    package var appliesTo: PinPosition
    package var onFailure: PinFailureAction
    /// The first moment at which ``onExpiry`` decides; nil: the pins never expire.
    package var expires: Date?
    package var onExpiry: PinFailureAction

    package init(
        mode: PinningMode,
        pins: [Pin],
        appliesTo: PinPosition = .any,
        onFailure: PinFailureAction = .refuse,
        expires: Date? = nil,
        onExpiry: PinFailureAction = .refuse
    ) {
        self.mode = mode
        self.pins = pins
        self.appliesTo = appliesTo
        self.onFailure = onFailure
        self.expires = expires
        self.onExpiry = onExpiry
    }

    /// What a path without a pin comes to at this time.
    package func action(at time: Date) -> PinFailureAction {
        if onFailure == .report { return .report }
        if let expires, time >= expires { return onExpiry }
        return .refuse
    }
}
