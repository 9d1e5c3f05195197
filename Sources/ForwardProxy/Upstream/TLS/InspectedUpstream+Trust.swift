import Inspection
import UpstreamTrust

extension InspectedUpstream.Certificate {
    init(_ certificate: CertificateSummary, pinning: PinningPolicy?) {
        let pin = pinning?.mode == .certificate ? certificate.certificatePin : certificate.publicKeyPin
        self.init(
            subject: certificate.subject,
            issuer: certificate.issuer,
            notAfter: certificate.notAfter.map(UTCText.format) ?? "",
            publicKeyPin: certificate.publicKeyPin?.text ?? "",
            certificatePin: certificate.certificatePin.text,
            isPinned: pin.map { pinning?.pins.contains($0) ?? false } ?? false
        )
    }
}

extension InspectedUpstream.ConfiguredPins {
    /// The number of pins that are shown.
    private static let most = 16

    init(_ pinning: PinningPolicy) {
        self.init(
            mode: pinning.mode.rawValue,
            appliesTo: pinning.appliesTo.rawValue,
            pins: pinning.pins.prefix(Self.most).map(\.text)
        )
    }
}
