import Bytes
import SwiftASN1
import X509

/// A name of a certificate as name constraints are applied to it (RFC 5280, section 4.2.1.10).
enum ConstrainableName {
    case dns(DomainName)
    /// 4 or 16 bytes.
    case ipAddress([UInt8])
    case email(Mailbox)
    /// The host of a URI.
    case uri(host: DomainName)
    case directory(DirectoryName)
    /// A name that is malformed, or of a form that is not compared: no constraint on its form lets it pass.
    case incomparable(NameForm)

    init(_ name: GeneralName) {
        switch name {
        case .dnsName(let text): self = DomainName(text).map { .dns($0) } ?? .incomparable(.dns)
        case .ipAddress(let bytes):
            self = [4, 16].contains(bytes.bytes.count) ? .ipAddress(Array(bytes.bytes)) : .incomparable(.ipAddress)
        case .rfc822Name(let text): self = Mailbox(text).map { .email($0) } ?? .incomparable(.email)
        case .uniformResourceIdentifier(let text):
            self = Self.host(ofURI: text).map { .uri(host: $0) } ?? .incomparable(.uri)
        case .directoryName(let name): self = .directory(DirectoryName(name))
        case .otherName: self = .incomparable(.otherName)
        case .x400Address: self = .incomparable(.x400Address)
        case .ediPartyName: self = .incomparable(.ediPartyName)
        case .registeredID: self = .incomparable(.registeredID)
        }
    }

    var form: NameForm {
        switch self {
        case .dns: .dns
        case .ipAddress: .ipAddress
        case .email: .email
        case .uri: .uri
        case .directory: .directory
        case .incomparable(let form): form
        }
    }

    /// The host of a URI that has an authority with a DNS name in it. The RFC has every other URI refused where URIs
    /// are constrained.
    private static func host(ofURI text: String) -> DomainName? {
        guard let colon = text.utf8.firstIndex(of: UInt8(ascii: ":")) else { return nil }
        var rest = text.utf8[text.utf8.index(after: colon)...]
        guard rest.starts(with: "//".utf8) else { return nil }
        rest = rest.dropFirst(2)
        let ends: [UInt8] = [UInt8(ascii: "/"), UInt8(ascii: "?"), UInt8(ascii: "#")]
        var authority = rest.prefix { !ends.contains($0) }
        if let at = authority.lastIndex(of: UInt8(ascii: "@")) { authority = authority[authority.index(after: at)...] }
        if let port = authority.firstIndex(of: UInt8(ascii: ":")) { authority = authority[..<port] }
        guard IPAddress(text: Array(authority).span) == nil, let host = DomainName(Substring(authority)),
            !host.isWildcard
        else { return nil }
        return host
    }
}

extension ConstrainableName {
    /// A name as it is told to a person; not yet escaped.
    var shown: String {
        switch self {
        case .dns(let name): String(decoding: name.bytes, as: UTF8.self)
        case .ipAddress(let bytes): bytes.addressText
        case .email(let mailbox):
            String(decoding: mailbox.local + [UInt8(ascii: "@")] + mailbox.host.bytes, as: UTF8.self)
        case .uri(let host): "a URI with the host " + String(decoding: host.bytes, as: UTF8.self)
        case .directory: "a distinguished name"
        case .incomparable(.dns): "a malformed DNS name"
        case .incomparable(.ipAddress): "a malformed IP address"
        case .incomparable(.email): "a malformed e-mail address"
        case .incomparable(.uri): "a URI without a DNS name for a host"
        case .incomparable(.directory): "a malformed distinguished name"
        case .incomparable(.otherName): "a name of the form otherName"
        case .incomparable(.x400Address): "an X.400 address"
        case .incomparable(.ediPartyName): "a name of the form ediPartyName"
        case .incomparable(.registeredID): "a registered ID"
        }
    }
}

/// The forms of names that name constraints tell apart (RFC 5280, section 4.2.1.6).
enum NameForm: Hashable, CaseIterable {
    case dns
    case ipAddress
    case email
    case uri
    case directory
    case otherName
    case x400Address
    case ediPartyName
    case registeredID
}

/// An e-mail address as name constraints compare it: `Local-part@Domain` (RFC 5280, section 4.2.1.6).
struct Mailbox {
    var local: [UInt8]
    var host: DomainName

    init?(_ text: String) {
        guard let at = text.utf8.lastIndex(of: UInt8(ascii: "@")), at > text.utf8.startIndex,
            let host = DomainName(text[text.utf8.index(after: at)...]), !host.isWildcard
        else { return nil }
        local = Array(text.utf8[..<at])
        self.host = host
    }

    /// - Parameter ignoringCase: Whether the local part may differ in the case of ASCII letters.
    func isSame(as other: Mailbox, ignoringCase: Bool) -> Bool {
        guard host == other.host else { return false }
        return ignoringCase ? local.span.equalsIgnoringCase(other.local.span) : local == other.local
    }
}
