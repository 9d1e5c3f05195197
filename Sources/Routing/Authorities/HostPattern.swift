package import Bytes

/// The claim of an API: one host, or every host that puts one label before a suffix; on one port.
package struct HostPattern: Hashable, Sendable {
    package enum Name: Hashable, Sendable {
        /// A name in lower case, or an address in its canonical form.
        case exact(String)
        /// `*.SUFFIX`, held without the `*.`; one label stands for the star.
        case wildcard(suffix: String)
    }

    package let name: Name
    /// The port; nil stands for 443, and for 80 in absolute-form `http://` requests.
    package let port: Int?

    /// `HOST`, `HOST:PORT`, `*.SUFFIX` or `*.SUFFIX:PORT`.
    package init(_ text: String) throws(HostPatternError) {
        let isWildcard = text.hasPrefix("*.")
        let rest = isWildcard ? String(text.dropFirst(2)) : text
        guard !rest.utf8.contains(UInt8(ascii: "*")) else { throw .misplacedWildcard }
        let authority: Authority
        do {
            // No port can be 0, so 0 tells that none was written.
            authority = try Authority(parsing: rest, defaultPort: 0)
        } catch {
            throw .authority(error)
        }
        if isWildcard {
            guard authority.address == nil else { throw .wildcardAddress }
            guard authority.host.utf8.contains(UInt8(ascii: ".")) else { throw .wildcardTooWide }
        }
        name = isWildcard ? .wildcard(suffix: authority.host) : .exact(authority.host)
        port = authority.port == 0 ? nil : authority.port
    }

    /// Returns whether a URL with this scheme and authority is one of the pattern's.
    package func matches(_ authority: Authority, scheme: URIScheme) -> Bool {
        let claimsPort = port.map { $0 == authority.port } ?? (authority.port == scheme.defaultPort)
        return claimsPort && name.matches(authority)
    }
}

extension HostPattern.Name {
    /// Returns whether the host is one of these, at whichever port.
    func matches(_ authority: Authority) -> Bool {
        switch self {
        case .exact(let host): host == authority.host
        case .wildcard(let suffix): authority.hostAfterFirstLabel == suffix
        }
    }
}

extension HostPattern: CustomStringConvertible {
    package var description: String {
        let host =
            switch name {
            case .exact(let host): bracketed(host: host)
            case .wildcard(let suffix): "*.\(suffix)"
            }
        return port.map { "\(host):\($0)" } ?? host
    }
}

extension Authority {
    /// The host after the first label; `nil` for one label.
    var hostAfterFirstLabel: String? {
        guard let dot = host.utf8.firstIndex(of: UInt8(ascii: ".")) else { return nil }
        return String(host[host.utf8.index(after: dot)...])
    }
}

/// The reason why a text is no host pattern.
package enum HostPatternError: Error, Hashable, Sendable, CustomStringConvertible {
    case misplacedWildcard
    case wildcardTooWide
    case wildcardAddress
    case authority(AuthoritySyntaxError)

    /// Words on what is wrong, to follow the text itself.
    package var description: String {
        switch self {
        case .misplacedWildcard:
            "may have one star, and only as the whole first label: \"*.example.com\""
        case .wildcardTooWide:
            "would claim every host of a top-level domain; name at least two labels after the star"
        case .wildcardAddress:
            "puts a star before an address; list the addresses one by one"
        case .authority(let error):
            error.description
        }
    }
}
