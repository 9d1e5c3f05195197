package import Routing

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
