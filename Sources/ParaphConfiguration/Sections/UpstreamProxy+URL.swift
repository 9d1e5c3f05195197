package import Credentials
package import Routing
import UpstreamTrust

extension UpstreamProxy {
    /// `http://HOST:PORT` or `https://HOST:PORT`: a proxy that asks for no credentials, and whose certificate, if it
    /// has one, leads to a root that the system trusts.
    package init(url text: String) throws(UpstreamProxyURLError) {
        let lowered = text.lowercased()
        let scheme = ["http://", "https://"].first { lowered.hasPrefix($0) }
        var rest = text.dropFirst(scheme?.utf8.count ?? 0)
        guard !rest.utf8.contains(UInt8(ascii: "@")) else { throw .credentials }
        guard let scheme else { throw lowered.hasPrefix("socks") ? .otherProtocol : .noScheme }
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else { throw .path }
        do {
            let authority = try Authority(parsing: String(rest), defaultPort: nil)
            self.init(host: authority.host, port: authority.port, trust: scheme == "https://" ? .system : nil)
        } catch {
            throw .authority(error)
        }
    }
}

/// The reason why a text is not the address of a proxy. The text itself is never told: it may hold a password.
package enum UpstreamProxyURLError: Error, Equatable, Sendable, CustomStringConvertible {
    case credentials
    case otherProtocol
    case noScheme
    case path
    case authority(AuthoritySyntaxError)

    /// Words on what is wrong, to follow a name for the text.
    package var description: String {
        switch self {
        case .credentials:
            "carries a user name or a password; the configuration has keys for them: "
                + "upstream_proxy: {url: \"http://HOST:PORT\", username: NAME, password: {env: VARIABLE}}"
        case .otherProtocol:
            "is not an http:// or https:// address: only HTTP proxies, asked by CONNECT, are supported"
        case .noScheme:
            "must be an address that starts with http:// or https://, like http://proxy.example.com:3128, or off"
        case .path:
            "has a path, which a proxy has none of; write http://HOST:PORT or https://HOST:PORT"
        case .authority(let error):
            "\(error), like http://proxy.example.com:3128"
        }
    }
}
