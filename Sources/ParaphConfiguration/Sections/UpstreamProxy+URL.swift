package import Credentials
import Routing

extension UpstreamProxy {
    /// `http://HOST:PORT`: a proxy that asks for no credentials.
    package init(url text: String) throws(UpstreamProxyURLError) {
        let lowered = text.lowercased()
        let isHTTP = lowered.hasPrefix("http://")
        var rest = isHTTP ? text.dropFirst("http://".utf8.count) : text[...]
        guard !rest.utf8.contains(UInt8(ascii: "@")) else { throw .credentials }
        guard isHTTP else {
            throw lowered.hasPrefix("https://") || lowered.hasPrefix("socks") ? .otherProtocol : .noScheme
        }
        if rest.hasSuffix("/") { rest.removeLast() }
        guard !rest.utf8.contains(where: { $0 == UInt8(ascii: "/") || $0 == UInt8(ascii: "?") }) else { throw .path }
        do {
            let authority = try Authority(parsing: String(rest), defaultPort: nil)
            self.init(host: authority.host, port: authority.port)
        } catch {
            throw .authority(error)
        }
    }
}
