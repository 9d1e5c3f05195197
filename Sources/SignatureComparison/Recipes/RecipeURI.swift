import Bytes
import OAuthSigning

/// The parts of the base string URI (RFC 5849, section 3.4.1.2), as some signer puts it together; not encoded.
struct RecipeURI: Sendable {
    /// The parts that stand before the path.
    enum Extent: Sendable {
        case whole
        /// The host without a scheme.
        case withoutScheme
        /// The host behind `//`, as in a reference that takes over the scheme.
        case withoutSchemeName
        /// The path alone.
        case pathOnly
    }

    var scheme: [UInt8]
    /// The text between scheme and host.
    var mark = Array("://".utf8)
    /// The user information with its `@`, which does not belong there.
    var userInformation: [UInt8] = []
    var host: [UInt8]
    /// The port, without the colon.
    var port: [UInt8]?
    var path: [UInt8]
    /// The query, which does not belong there.
    var query: [UInt8]?
    var extent = Extent.whole

    /// The right one.
    init(scheme: [UInt8], authority: [UInt8], target: [UInt8]) {
        self.scheme = scheme.map(\.lowercasedASCII)
        let (host, port) = Self.split(authority)
        self.host = host.map(\.lowercasedASCII)
        let isDefault = authority.span.countWithoutDefaultPort(of: scheme.span) < authority.count
        self.port = isDefault ? nil : port
        let path = Array(target[..<target.span.pathCount])
        self.path = path.isEmpty || path == Array("*".utf8) ? Array("/".utf8) : path
    }

    var bytes: [UInt8] {
        var bytes: [UInt8] =
            switch extent {
            case .whole: scheme + mark
            case .withoutSchemeName: Array("//".utf8)
            case .withoutScheme, .pathOnly: []
            }
        if extent != .pathOnly {
            bytes += userInformation + host
            if let port { bytes += [UInt8(ascii: ":")] + port }
        }
        bytes += path
        if let query { bytes += [UInt8(ascii: "?")] + query }
        return bytes
    }

    /// Cuts the port off an authority; the colons of an IPv6 address in brackets begin none.
    static func split(_ authority: [UInt8]) -> (host: [UInt8], port: [UInt8]?) {
        guard let colon = authority.lastIndex(of: UInt8(ascii: ":")),
            !authority[colon...].contains(UInt8(ascii: "]"))
        else { return (authority, nil) }
        return (Array(authority[..<colon]), Array(authority[(colon + 1)...]))
    }
}
