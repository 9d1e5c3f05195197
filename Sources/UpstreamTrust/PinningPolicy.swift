/// The pins of a provider. A connection is accepted when any certificate of its *validated* path has one of them.
package struct PinningPolicy: Equatable, Sendable {
    package var mode: PinningMode
    /// With none at all no chain is accepted.
    package var pins: [Pin]

    package init(mode: PinningMode, pins: [Pin]) {
        self.mode = mode
        self.pins = pins
    }
}
