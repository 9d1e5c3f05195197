package import FoundationEssentials
import X509

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

    /// Returns the action for a path without a pin at this time.
    package func action(at time: Date) -> PinFailureAction {
        if onFailure == .report { return .report }
        if let expires, time >= expires { return onExpiry }
        return .refuse
    }
}

extension PinningPolicy {
    /// Returns whether one of the pins is of this certificate, wherever on a path it stands.
    func has(_ certificate: Certificate) -> Bool {
        guard let pin = self.pin(of: certificate) else { return false }
        return pins.contains(pin)
    }

    /// Returns whether mismatches are refused and every pin is of a certificate of this path. One that stands where
    /// ``appliesTo`` does not look is no backup either, nor is one of the other ``mode``: its key is in use already, or
    /// it can never match.
    func lacksBackup(on path: [Certificate], at time: Date) -> Bool {
        guard action(at: time) == .refuse else { return false }
        let used = path.flatMap { [try? Pin.publicKey(of: $0), try? Pin.certificate($0)].compactMap(\.self) }
        return pins.allSatisfy { used.contains($0) }
    }

    private func pin(of certificate: Certificate) -> Pin? {
        switch mode {
        case .publicKey: try? Pin.publicKey(of: certificate)
        case .certificate: try? Pin.certificate(certificate)
        }
    }
}
