import UpstreamTrust
import X509

/// Reads the pins of one mapping: as they are written, and of certificates in PEM files.
struct PinsReading {
    let mode: PinningMode
    /// Indicates whether a server without one of them is refused.
    let refuses: Bool

    /// - Returns: `nil` when a mistake was reported.
    func read(pins: Value?, certificates: Value?) -> [Pin]? {
        var all: [Pin] = []
        var isWhole = true
        if let certificates {
            if let found = self.certificates(certificates) {
                for certificate in found {
                    // A file may hold a chain, and two chains may share a certificate.
                    guard let pin = mode.pin(of: certificate), !all.contains(pin) else { continue }
                    all.append(pin)
                }
                if refuses, pins == nil, all.count > 1, areOneChain(found) {
                    certificates.adviseAtKey(
                        .warning,
                        "are all of one chain: none is a backup for the day on which its keys change; add a pin of a key "
                            + "that is not in use (`paraph pins` says how to come by one)"
                    )
                }
            } else {
                isWhole = false
            }
        }
        if let pins, !append(pins, to: &all) { isWhole = false }
        guard isWhole, let place = pins ?? certificates else { return nil }
        if all.count < (refuses ? 2 : 1) {
            place.reportAtKey(
                refuses
                    ? "must list at least two pins, one of them of a key kept in reserve: with one, the day it changes "
                        + "cuts the API off"
                    : "must list at least one pin"
            )
        }
        return all
    }

    /// - Returns: Whether the list and all of its items could be read.
    private func append(_ value: Value, to pins: inout [Pin]) -> Bool {
        guard let items = value.items() else { return false }
        var isWhole = true
        for item in items {
            guard let text = item.text() else {
                isWhole = false
                continue
            }
            do {
                let pin = try Pin(validating: text)
                if pins.contains(pin) {
                    item.report("is listed already, here or in one of the certificates")
                    isWhole = false
                }
                pins.append(pin)
            } catch {
                item.report("is wrong: \(error)")
                isWhole = false
            }
        }
        return isWhole
    }

    private func certificates(_ value: Value) -> [Certificate]? {
        guard let items = value.items() else { return nil }
        if items.isEmpty { value.report("is an empty list; name PEM files, or list pins under pins") }
        var all: [Certificate] = []
        var isWhole = !items.isEmpty
        for item in items {
            guard let found = item.certificates() else {
                isWhole = false
                continue
            }
            all += found
            guard mode == .certificate else { continue }
            for certificate in found where certificate.notValidAfter < item.context.now {
                item.advise(
                    .warning,
                    "holds a certificate that expired on \(UTCText.format(certificate.notValidAfter)), so that no server can "
                        + "have it any more"
                )
            }
        }
        guard isWhole else { return nil }
        return all
    }

    /// Returns whether they are certificates of one path, as far as they tell: each but one was issued by another of
    /// them.
    private func areOneChain(_ certificates: [Certificate]) -> Bool {
        let issued = { (issuer: Certificate, certificate: Certificate) in
            issuer != certificate && issuer.subject == certificate.issuer
                && issuer.publicKey.isValidSignature(certificate.signature, for: certificate)
        }
        let leaves = certificates.filter { issuer in !certificates.contains { issued(issuer, $0) } }
        guard var top = leaves.first, leaves.count == 1 else { return false }
        var climbed = [top]
        while let issuer = certificates.first(where: { issued($0, top) && !climbed.contains($0) }) {
            climbed.append(issuer)
            top = issuer
        }
        return certificates.allSatisfy { climbed.contains($0) }
    }
}
