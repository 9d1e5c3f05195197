import Bytes
import SwiftASN1
package import X509

/// The host of a connection as certificates name it: a DNS name or an IP address.
package enum ServerName: Hashable, Sendable {
    /// A DNS name in lower case and without a trailing dot, as ``init(host:)`` makes it.
    case dns(String)
    /// The 4 or 16 bytes of the address, in network order.
    case ip([UInt8])

    /// - Parameter host: A name, an IPv4 address in four decimal parts, or an IPv6 address (with or without brackets).
    package init(host: String) {
        var bytes = host.utf8[...]
        if bytes.first == UInt8(ascii: "["), bytes.last == UInt8(ascii: "]") {
            bytes = bytes.dropFirst().dropLast()
        }
        if let address = IPAddress(text: Array(bytes).span) {
            self = .ip(address.bytes)
            return
        }
        var name = host.lowercased()
        if name.hasSuffix(".") { name.removeLast() }
        self = .dns(name)
    }

    /// The name, or the address in its canonical text form (RFC 5952), without brackets.
    package var text: String {
        switch self {
        case .dns(let name): name
        case .ip(let bytes): bytes.addressText
        }
    }
}

extension [UInt8] {
    /// The canonical text of an address of 4 or 16 bytes; that of bytes that are none, in hexadecimal digits.
    var addressText: String { IPAddress(bytes: self)?.description ?? Hexadecimal.encode(self) }
}

extension ServerName: CustomStringConvertible {
    package var description: String { PrintableText(text, limit: 255).description }
}

/// The hosts that a certificate is for: its subject alternative names and nothing else (RFC 9525, section 6).
package struct ServerCertificateNames: Sendable {
    private var dnsNames: [String] = []
    private var addresses: [[UInt8]] = []

    package init(_ names: some Sequence<GeneralName>) {
        for name in names {
            switch name {
            case .dnsName(let name): dnsNames.append(name)
            case .ipAddress(let bytes): addresses.append(Array(bytes.bytes))
            default: continue
            }
        }
    }

    /// The DNS names that each stand for one host.
    package var hosts: [String] { dnsNames.filter { DomainName($0).map { !$0.isWildcard } ?? false } }

    package func contains(_ serverName: ServerName) -> Bool {
        switch serverName {
        case .dns(let name): DomainName(name).map { matches($0) } ?? false
        case .ip(let bytes): addresses.contains(bytes)
        }
    }

    /// The DNS names and addresses, at most eight of them, escaped and cut.
    package var shown: [String] {
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
