import Bytes

/// A listener that stands for the first host of an API: its clients take it for the API itself.
package final class Gateway: Sendable {
    package let route: APIRoute
    /// The authority that its requests go to.
    package let upstream: Authority
    /// Indicates whether the first host was configured without a port, so that 443 and 80 both stand for it.
    private let hasDefaultPorts: Bool
    /// The hosts that Host may name, besides loopback addresses and `localhost`.
    private let hosts: Set<String>
    private let takesEveryHost: Bool

    /// - Parameters:
    ///   - address: The host or address that is listened on, in lower case or in its canonical form.
    ///   - hosts: The further names that clients may use, likewise.
    /// - Returns: Nil when the API's first host is not a single one.
    package init?(route: APIRoute, address: String, hosts: [String] = []) {
        guard let first = route.hosts.first, case .exact = first.name else { return nil }
        self.route = route
        upstream = route.upstream(for: first.key)
        hasDefaultPorts = first.port == nil
        self.hosts = Set(hosts + [address])
        takesEveryHost = hosts.isEmpty && !Self.isLoopback(address)
    }

    /// Returns whether a request that names this host can be meant for the gateway.
    ///
    /// A page of any site can have its name resolve to 127.0.0.1 and then read what its visitor's gateway answers (DNS
    /// rebinding): on loopback only names will do that nobody else can have. Elsewhere clients authenticate.
    func serves(_ authority: Authority) -> Bool {
        takesEveryHost || isNamed(authority)
    }

    /// Returns whether this is one of the names that are known to be the gateway's.
    func isNamed(_ authority: Authority) -> Bool {
        hosts.contains(authority.host) || Self.isLoopback(authority.host)
    }

    private static func isLoopback(_ host: String) -> Bool {
        host == "localhost" || IPAddress(host)?.isLoopback == true
    }
}

/// The parts of a response that point at the upstream, and have to point at the gateway for a client that knows of no
/// other.
extension Gateway {
    /// Looks at a URI reference (RFC 3986, section 4.1), as Location and Content-Location have one.
    ///
    /// - Returns: Where its path begins (or its query, or its end) if it leads to the upstream; `nil` if it leads
    ///   elsewhere, or is relative and leads to the gateway already.
    package func pathOffset(ofReference reference: Span<UInt8>) -> Int? {
        guard let beginning = URIBeginning(of: reference, base: .https) else { return nil }
        let authority = try? Authority(
            parsing: reference.extracting(beginning.authority),
            defaultPort: beginning.scheme.defaultPort
        )
        return authority.map(isUpstream) == true ? beginning.authority.upperBound : nil
    }

    private func isUpstream(_ authority: Authority) -> Bool {
        if authority == upstream { return true }
        return hasDefaultPorts && authority.host == upstream.host && [80, 443].contains(authority.port)
    }

    /// Takes the Domain out of a Set-Cookie field (RFC 6265, section 4.1.2.3) where it is the upstream's host or one
    /// that covers it. The cookie is then the gateway's alone.
    ///
    /// - Returns: The value without it; `nil` when there is nothing to take out.
    package func withoutDomain(cookie: Span<UInt8>) -> [UInt8]? {
        var out: [UInt8] = []
        var isChanged = false
        // The name and the value, and then every attribute with the semicolon before it.
        var part = 0..<Self.semicolon(in: cookie, from: 0)
        while true {
            if coversUpstream(attribute: cookie.extracting(part)) {
                isChanged = true
            } else {
                for index in part { out.append(cookie[index]) }
            }
            guard part.upperBound < cookie.count else { return isChanged ? out : nil }
            part = part.upperBound..<Self.semicolon(in: cookie, from: part.upperBound + 1)
        }
    }

    private static func semicolon(in cookie: Span<UInt8>, from start: Int) -> Int {
        var index = start
        while index < cookie.count, cookie[index] != UInt8(ascii: ";") { index += 1 }
        return index
    }

    /// - Parameter attribute: The attribute with the semicolon before it; what has none is no attribute.
    private func coversUpstream(attribute: Span<UInt8>) -> Bool {
        guard attribute.count > 0, attribute[0] == UInt8(ascii: ";"),
            let text = attribute.extracting(1..<attribute.count).text,
            let equals = text.utf8.firstIndex(of: UInt8(ascii: "="))
        else { return false }
        func trimmed(_ part: Substring) -> Substring {
            var part = part
            while let first = part.utf8.first, first == 0x20 || first == 0x09 { part = part.dropFirst() }
            while let last = part.utf8.last, last == 0x20 || last == 0x09 { part = part.dropLast() }
            return part
        }
        guard trimmed(text[..<equals]).lowercased() == "domain" else { return false }
        let value = trimmed(text[text.utf8.index(after: equals)...])
        let domain = (value.hasPrefix(".") ? value.dropFirst() : value).lowercased()
        guard !domain.isEmpty else { return false }
        return upstream.host == domain || (upstream.address == nil && upstream.host.hasSuffix(".\(domain)"))
    }
}
