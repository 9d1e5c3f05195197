import FoundationEssentials
import X509

extension PinningPolicy {
    /// Whether one of the pins is of this certificate, wherever on a path it stands.
    func has(_ certificate: Certificate) -> Bool {
        guard let pin = self.pin(of: certificate) else { return false }
        return pins.contains(pin)
    }

    /// Whether mismatches are refused and every pin is of a certificate of this path. One that stands where
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
