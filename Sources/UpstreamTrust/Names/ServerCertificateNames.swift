import Bytes
import SwiftASN1
import X509

/// The hosts that a certificate is for: its subject alternative names and nothing else (RFC 9525, section 6).
struct ServerCertificateNames {
    private var dnsNames: [String] = []
    private var addresses: [[UInt8]] = []

    init(_ names: some Sequence<GeneralName>) {
        for name in names {
            switch name {
            case .dnsName(let name): dnsNames.append(name)
            case .ipAddress(let bytes): addresses.append(Array(bytes.bytes))
            default: continue
            }
        }
    }

    func contains(_ serverName: ServerName) -> Bool {
        switch serverName {
        case .dns(let name): DomainName(name).map { matches($0) } ?? false
        case .ip(let bytes): addresses.contains(bytes)
        }
    }

    /// At most eight of them, escaped and cut.
    var shown: [String] {
        let all = dnsNames.prefix(8) + addresses.prefix(8).map(\.addressText)
        let shown = all.prefix(8).map { PrintableText($0, limit: 80).description }
        let more = dnsNames.count + addresses.count - shown.count
        return more > 0 ? shown + ["\(more) more"] : shown
    }

    /// A wildcard is the whole of the leftmost label, stands for exactly one, and has two more behind it. A name with
    /// an underscore is no host's.
    private func matches(_ name: DomainName) -> Bool {
        guard !name.isWildcard, !name.bytes.contains(UInt8(ascii: "_")) else { return false }
        return dnsNames.contains { text in
            guard let pattern = DomainName(text) else { return false }
            guard pattern.isWildcard else { return pattern == name }
            guard let parent = pattern.parent, parent.contains(UInt8(ascii: ".")) else { return false }
            return name.parent?.elementsEqual(parent) == true
        }
    }
}
