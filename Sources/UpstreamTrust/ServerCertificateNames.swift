import Bytes
import SwiftASN1
import X509

/// The hosts that a certificate is for: its subject alternative names and nothing else (RFC 9525 section 6).
struct ServerCertificateNames {
    private var dnsNames: [String] = []
    private var addresses: [[UInt8]] = []

    init(_ certificate: Certificate?) {
        guard let names = try? certificate?.extensions.subjectAlternativeNames else { return }
        for name in names {
            switch name {
            case .dnsName(let name): self.dnsNames.append(name)
            case .ipAddress(let octets): self.addresses.append(Array(octets.bytes))
            default: continue
            }
        }
    }

    func contains(_ serverName: ServerName) -> Bool {
        switch serverName {
        case .dns(let name): self.dnsNames.contains { Self.matches(pattern: $0, name: name) }
        case .ip(let octets): self.addresses.contains(octets)
        }
    }

    /// At most eight of them, escaped and cut.
    var shown: [String] {
        let all = self.dnsNames.prefix(8) + self.addresses.prefix(8).map { IPAddressText.format($0) }
        let shown = all.prefix(8).map { PrintableText($0, limit: 80).description }
        let more = self.dnsNames.count + self.addresses.count - shown.count
        return more > 0 ? shown + ["\(more) more"] : shown
    }

    /// A wildcard is the whole of the leftmost label, stands for exactly one, and has two more behind it.
    private static func matches(pattern: String, name: String) -> Bool {
        var pattern = pattern.lowercased()
        if pattern.hasSuffix(".") { pattern.removeLast() }
        guard pattern.contains("*") else { return !pattern.isEmpty && pattern == name }
        let labels = pattern.split(separator: ".", omittingEmptySubsequences: false)
        let wanted = name.split(separator: ".", omittingEmptySubsequences: false)
        guard labels.count >= 3, labels.count == wanted.count, labels.first == "*", wanted.first?.isEmpty == false,
            !labels.dropFirst().contains(where: { $0.isEmpty || $0.contains("*") })
        else { return false }
        return labels.dropFirst().elementsEqual(wanted.dropFirst())
    }
}
