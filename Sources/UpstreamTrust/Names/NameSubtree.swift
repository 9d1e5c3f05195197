import SwiftASN1
import X509

/// One subtree of a name constraint: the names that an authority may vouch for, or those that it may not
/// (RFC 5280, section 4.2.1.10).
enum NameSubtree {
    /// The names of a domain; without a domain, every name.
    case dns(Domain?)
    /// The bytes of an address and of its mask.
    case ipAddress(base: [UInt8], mask: [UInt8])
    case mailbox(Mailbox)
    case mailHost(Domain)
    case uri(Domain)
    case directory(DirectoryName)
    /// A subtree of a form whose names are not compared.
    case incomparable(NameForm)

    struct Domain {
        var name: DomainName
        /// The subtree was written with a leading dot: the names below it, and not the name itself.
        var isBelowOnly: Bool

        /// - Parameter text: A name, without a wildcard.
        init?(_ text: String) {
            isBelowOnly = text.utf8.first == UInt8(ascii: ".")
            guard let name = DomainName(isBelowOnly ? text.dropFirst() : text[...]), !name.isWildcard else {
                return nil
            }
            self.name = name
        }
    }

    /// Reads the base of a subtree; nil when it is malformed.
    init?(_ base: GeneralName) {
        switch base {
        case .dnsName(""): self = .dns(nil)
        case .dnsName(let text):
            guard let domain = Domain(text) else { return nil }
            self = .dns(domain)
        case .ipAddress(let range):
            let bytes = Array(range.bytes)
            let half = bytes.count / 2
            guard [8, 32].contains(bytes.count), Self.isMask(bytes[half...]) else { return nil }
            self = .ipAddress(base: Array(bytes[..<half]), mask: Array(bytes[half...]))
        case .rfc822Name(let text):
            if text.utf8.contains(UInt8(ascii: "@")) {
                guard let mailbox = Mailbox(text) else { return nil }
                self = .mailbox(mailbox)
            } else {
                guard let domain = Domain(text) else { return nil }
                self = .mailHost(domain)
            }
        case .uniformResourceIdentifier(let text):
            guard let domain = Domain(text) else { return nil }
            self = .uri(domain)
        case .directoryName(let name): self = .directory(DirectoryName(name))
        case .otherName, .x400Address, .ediPartyName, .registeredID:
            self = .incomparable(ConstrainableName(base).form)
        }
    }

    var form: NameForm {
        switch self {
        case .dns: .dns
        case .ipAddress: .ipAddress
        case .mailbox, .mailHost: .email
        case .uri: .uri
        case .directory: .directory
        case .incomparable(let form): form
        }
    }

    /// The number of comparisons that it takes to compare a name with it: of more than one attribute, or of long texts,
    /// more than one.
    var comparisons: Int {
        switch self {
        case .dns(let domain): (domain?.name).map { SearchBudget.price(ofBytes: $0.bytes.count) } ?? 1
        case .mailHost(let domain), .uri(let domain): SearchBudget.price(ofBytes: domain.name.bytes.count)
        case .mailbox(let mailbox): SearchBudget.price(ofBytes: mailbox.local.count + mailbox.host.bytes.count)
        case .directory(let name): name.comparisons
        case .ipAddress, .incomparable: 1
        }
    }

    /// Returns whether every name that this one stands for is within the subtree.
    func permits(_ name: ConstrainableName) -> Bool {
        switch (self, name) {
        case (.dns(nil), .dns): true
        case (.dns(let domain?), .dns(let name)):
            domain.isBelowOnly ? name.isBelow(domain.name) : name.isWithin(domain.name)
        case (.directory(let base), .directory(let name)): name.isWithin(base, unknown: false)
        case (.mailbox(let own), .email(let mailbox)): own.isSame(as: mailbox, ignoringCase: false)
        default: hasEither(name)
        }
    }

    /// Returns whether a name that this one stands for is within the subtree, or may be.
    func excludes(_ name: ConstrainableName) -> Bool {
        switch (self, name) {
        case (.dns(let domain?), .dns(let name)) where name.isWildcard:
            // A wildcard stands for the excluded name where both are below the same one.
            permits(.dns(name)) || domain.name.parent.map { name.parent?.elementsEqual($0) == true } ?? false
        case (.dns, .dns): permits(name)
        case (.directory(let base), .directory(let name)): name.isWithin(base, unknown: true)
        case (.mailbox(let own), .email(let mailbox)): own.isSame(as: mailbox, ignoringCase: true)
        case (_, .incomparable(let form)), (.incomparable(let form), _): self.form == form && name.form == form
        default: hasEither(name)
        }
    }

    /// Returns whether the name is within the subtree, by what permitted and excluded subtrees have in common. Without
    /// a leading dot a domain of an e-mail address or of a URI is one host.
    private func hasEither(_ name: ConstrainableName) -> Bool {
        switch (self, name) {
        case (.ipAddress(let base, let mask), .ipAddress(let address)):
            base.count == address.count
                && address.indices.allSatisfy { address[$0] & mask[$0] == base[$0] & mask[$0] }
        case (.mailHost(let domain), .email(let mailbox)): domain.has(host: mailbox.host)
        case (.uri(let domain), .uri(let host)): domain.has(host: host)
        default: false
        }
    }

    /// RFC 4632 has masks of ones that are followed by zeros alone.
    private static func isMask(_ bytes: ArraySlice<UInt8>) -> Bool {
        let rest = bytes.drop { $0 == 0xFF }
        guard let first = rest.first else { return true }
        return ~first & (~first &+ 1) == 0 && rest.dropFirst().allSatisfy { $0 == 0 }
    }
}

extension NameSubtree.Domain {
    fileprivate func has(host: DomainName) -> Bool {
        isBelowOnly ? host.isBelow(name) : host == name
    }
}
