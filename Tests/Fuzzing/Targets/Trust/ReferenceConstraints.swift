import SwiftASN1
import X509

/// Name constraints on DNS names and IP addresses, as plainly as RFC 5280, section 4.2.1.10, has them: names are lists
/// of labels, and a wildcard is every name that it can stand for.
struct ReferenceConstraints {
    enum Name {
        /// The labels; of a wildcard the first is a star.
        case dns([String])
        case address([UInt8])
    }

    enum Subtree {
        /// The labels of a name, whose subtree is without the name itself where that was written with a leading dot.
        case dns([String], isBelowOnly: Bool)
        case addresses([UInt8], mask: [UInt8])
    }

    var permitted: [Subtree] = []
    var excluded: [Subtree] = []

    func allow(_ name: Name) -> Bool {
        let stood = names(name)
        let ofItsForm = permitted.filter { Self.isOneForm($0, name) }
        let isPermitted = ofItsForm.contains { subtree in stood.allSatisfy { Self.has(subtree, $0) } }
        let isExcluded = excluded.contains { subtree in stood.contains { Self.has(subtree, $0) } }
        return (isPermitted || ofItsForm.isEmpty) && !isExcluded
    }

    /// Every name that a wildcard stands for as far as these constraints tell them apart.
    private func names(_ name: Name) -> [Name] {
        guard case .dns(let labels) = name, labels.first == "*" else { return [name] }
        let known = (permitted + excluded).flatMap { subtree in
            if case .dns(let labels, _) = subtree { labels } else { [] as [String] }
        }
        return (known + ["another"]).map { .dns([$0] + labels.dropFirst()) }
    }

    private static func isOneForm(_ subtree: Subtree, _ name: Name) -> Bool {
        switch (subtree, name) {
        case (.dns, .dns), (.addresses, .address): true
        case (.dns, .address), (.addresses, .dns): false
        }
    }

    private static func has(_ subtree: Subtree, _ name: Name) -> Bool {
        switch (subtree, name) {
        case (.dns(let base, let isBelowOnly), .dns(let labels)):
            let end = labels.suffix(base.count).map { $0.lowercased() }
            return end == base.map { $0.lowercased() } && (!isBelowOnly || labels.count > base.count)
        case (.addresses(let base, let mask), .address(let address)):
            return base.count == address.count
                && zip(zip(base, address), mask).allSatisfy { ($0.0 ^ $0.1) & $1 == 0 }
        case (.dns, .address), (.addresses, .dns): return false
        }
    }

    /// The same as an authority has them; nil where there are none.
    var encoded: NameConstraints? {
        if permitted.isEmpty, excluded.isEmpty { return nil }
        return NameConstraints(
            permittedSubtrees: permitted.map(Self.base),
            excludedSubtrees: excluded.map(Self.base)
        )
    }

    private static func base(_ subtree: Subtree) -> GeneralName {
        switch subtree {
        case .dns(let labels, let isBelowOnly):
            .dnsName((isBelowOnly ? "." : "") + labels.joined(separator: "."))
        case .addresses(let base, let mask): .ipAddress(ASN1OctetString(contentBytes: (base + mask)[...]))
        }
    }

    static func encoded(_ name: Name) -> GeneralName {
        switch name {
        case .dns(let labels): .dnsName(labels.joined(separator: "."))
        case .address(let bytes): .ipAddress(ASN1OctetString(contentBytes: bytes[...]))
        }
    }
}
