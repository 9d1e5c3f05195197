import FoundationEssentials
import UpstreamTrust

/// A pinning policy by the names of certificates, for a row of the tables.
struct PinSet: Sendable, CustomStringConvertible {
    var mode: PinningMode
    var of: [String]
    var at: PinPosition
    var onFailure: PinFailureAction
    /// The action that the pins come to since they have expired; nil: they have not.
    var expired: PinFailureAction?

    static func key(
        _ of: String...,
        at position: PinPosition = .any,
        on onFailure: PinFailureAction = .refuse,
        expired: PinFailureAction? = nil
    ) -> PinSet {
        PinSet(mode: .publicKey, of: of, at: position, onFailure: onFailure, expired: expired)
    }

    static func certificate(
        _ of: String...,
        at position: PinPosition = .any,
        on onFailure: PinFailureAction = .refuse,
        expired: PinFailureAction? = nil
    ) -> PinSet {
        PinSet(mode: .certificate, of: of, at: position, onFailure: onFailure, expired: expired)
    }

    var description: String {
        "\(mode) of \(of), \(at), \(onFailure), expired: \(expired.map { "\($0)" } ?? "no")"
    }

    var policy: PinningPolicy {
        get throws {
            let certificates = try TestCertificates.all.get()
            return PinningPolicy(
                mode: mode,
                pins: try of.map { name in
                    switch mode {
                    case .publicKey: try Pin.publicKey(of: certificates[name])
                    case .certificate: try Pin.certificate(certificates[name])
                    }
                },
                appliesTo: at,
                onFailure: onFailure,
                expires: TestCertificates.now + (expired == nil ? 1 : 0),
                onExpiry: expired ?? .report
            )
        }
    }
}
