package import Credentials
import Routing
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
