package import FoundationEssentials
package import X509

/// The pins of a provider. A connection is accepted when a certificate of its *validated* path has one of them.
package struct PinningPolicy: Equatable, Sendable {
    package var mode: PinningMode
    /// The pins; with none at all no chain has a pin.
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
        guard let pin = mode.pin(of: certificate) else { return false }
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
}

/// The part of a certificate that a pin is the digest of.
package enum PinningMode: String, CaseIterable, Sendable {
    /// The DER SubjectPublicKeyInfo: survives a renewal that keeps the key.
    case publicKey = "public_key"
    /// The whole DER certificate.
    case certificate

    /// Returns the pin of a certificate; nil where the certificate's own bytes cannot be read.
    package func pin(of certificate: Certificate) -> Pin? {
        switch self {
        case .publicKey: try? Pin.publicKey(of: certificate)
        case .certificate: try? Pin.certificate(certificate)
        }
    }
}

/// The certificates of the validated path that a pin may be of.
///
/// A path of one certificate, which the server presents and which is itself a trusted root, has a leaf that is the root
/// too: both positions hold it.
package enum PinPosition: String, CaseIterable, Sendable {
    case any
    /// The server's own certificate.
    case leaf
    /// The certificates between the leaf and the trusted root; there may be none.
    case intermediate
    /// The trusted certificate that the path ends at, whether it is self-signed or not.
    case root

    /// - Parameter path: Leaf first, trusted root last.
    func certificates<Certificate>(of path: [Certificate]) -> ArraySlice<Certificate> {
        switch self {
        case .any: path[...]
        case .leaf: path.prefix(1)
        case .intermediate: path.dropFirst().dropLast()
        case .root: path.suffix(1)
        }
    }
}

/// The action for a path without a pin. Everything else that is wrong with a chain is refused always.
package enum PinFailureAction: String, CaseIterable, Sendable {
    case refuse
    /// The connection is used; the failure is told.
    case report
}
