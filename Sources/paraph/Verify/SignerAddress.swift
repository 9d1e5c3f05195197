import Bytes

/// A scheme and a host that the signer may have signed for, and where they are taken from.
struct SignerAddress: Equatable, Sendable {
    enum Source: Equatable, Sendable {
        /// The address by which the request was received.
        case received
        case field(String)
        /// A name of the host that an option gives.
        case option
        /// Nothing says so: it is merely tried.
        case none
    }

    let scheme: URIScheme
    let host: String
    let schemeSource: Source
    let hostSource: Source

    var origin: String { "\(scheme.rawValue)://\(host)" }

    /// The sentence that tells a person what the signer did.
    /// - Parameter received: The origin that the request was received for.
    func sentence(received: String) -> String {
        let parts = [Self.words("host", hostSource), Self.words("scheme", schemeSource)].compactMap(\.self)
        return
            "The signature is right for \(origin), with \(parts.joined(separator: " and ")): that is what the signer "
            + "signed for. It is not right for \(received), as the request was received. Have what verifies sign for the "
            + "address that clients know; a field may say it where a gateway of one's own sets it."
    }

    /// The JSON for a program.
    func json(received: String) -> JSONText {
        .object([
            ("scheme", .string(scheme.rawValue)),
            ("scheme_from", .string(schemeSource.label)),
            ("host", .string(host)),
            ("host_from", .string(hostSource.label)),
            ("received", .string(received)),
            ("sentence", .string(sentence(received: received))),
        ])
    }

    private static func words(_ part: String, _ source: Source) -> String? {
        switch source {
        case .received: nil
        case .field(let name): "the \(part) of \(name)"
        case .option: "the \(part) of --other-host"
        case .none: "another \(part)"
        }
    }
}

extension SignerAddress.Source {
    /// A word for a program; the name of a field is itself.
    fileprivate var label: String {
        switch self {
        case .received: "received"
        case .field(let name): name
        case .option: "option"
        case .none: "none"
        }
    }
}

extension SignerAddress {
    /// The most hosts that are tried: each is one signature.
    private static let mostHosts = 64

    /// Returns what a request's signer may have signed for in place of what was received, the likeliest first: what
    /// the fields of gateways say, and other names that are given, each with any scheme.
    ///
    /// - Parameters:
    ///   - scheme: The scheme as the request was received, as is `host`.
    ///   - otherHosts: Names that the host has besides.
    static func candidates(
        for request: GivenRequest,
        scheme: URIScheme,
        host: String,
        otherHosts: [String]
    ) -> [SignerAddress] {
        var hosts: [(host: String, source: Source)] = []
        var schemes: [(scheme: URIScheme, source: Source)] = []
        func addHost(_ text: some StringProtocol, _ source: Source) {
            let text = text.drop { $0 == " " || $0 == "\t" }
            let host = String(text.prefix { $0 != " " && $0 != "\t" })
            guard GivenRequest.isAuthority(host), hosts.count < mostHosts,
                !hosts.contains(where: { $0.host.lowercased() == host.lowercased() })
            else { return }
            hosts.append((host, source))
        }
        func addScheme(_ scheme: URIScheme?, _ source: Source) {
            guard let scheme, !schemes.contains(where: { $0.scheme == scheme }) else { return }
            schemes.append((scheme, source))
        }

        for value in request.values(of: "Forwarded") {
            let forwarded = ForwardedField(value)
            for host in forwarded.hosts { addHost(host, .field("Forwarded")) }
            for scheme in forwarded.schemes { addScheme(scheme, .field("Forwarded")) }
        }
        for value in request.values(of: "X-Forwarded-Host") {
            for host in value.split(separator: ",") { addHost(host, .field("X-Forwarded-Host")) }
        }
        for value in request.values(of: "X-Forwarded-Proto") {
            for name in value.split(separator: ",") {
                addScheme(URIScheme(rawValue: name.filter { $0 != " " }.lowercased()), .field("X-Forwarded-Proto"))
            }
        }
        addHost(host, .received)
        for value in request.values(of: "X-Forwarded-Port") {
            let port = value.prefix { $0.isASCII && $0.isNumber }
            guard !port.isEmpty else { continue }
            for (host, _) in hosts {
                let name = host.hasSuffix("]") ? host[...] : host.prefix { $0 != ":" }
                addHost("\(name):\(port)", .field("X-Forwarded-Port"))
            }
        }
        for name in otherHosts { addHost(name, .option) }
        addScheme(scheme, .received)
        for other in URIScheme.allCases { addScheme(other, .none) }
        return hosts.flatMap { host, hostSource in
            schemes.map {
                SignerAddress(scheme: $0.scheme, host: host, schemeSource: $0.source, hostSource: hostSource)
            }
        }
        // A scheme that nothing tells of is one of the deviations that are tried in any case.
        .filter { $0.host.lowercased() != host.lowercased() || $0.scheme != scheme && $0.schemeSource != .none }
    }
}
