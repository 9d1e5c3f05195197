import Bytes
import Credentials
import Routing
import Settings
import UpstreamTrust

/// The value of `upstream_proxy`, at the top or of one API: `http://HOST:PORT`, `https://HOST:PORT`, a mapping with
/// credentials and trusted roots beside it, or `off`.
struct UpstreamProxyReading {
    /// Indicates whether anything is said at all, `off` included.
    let isSaid: Bool
    /// The proxy; nil when there is none, or a mistake was reported.
    let proxy: UpstreamProxy?
    private let value: Value?

    init(_ section: Section) {
        let value = section["upstream_proxy"].flatMap { $0.isNull ? nil : $0 }
        self.value = value
        isSaid = value != nil
        proxy = value?.upstreamProxy()
    }

    func check(against networks: NetworkPolicy, listen: ListenReading) {
        guard let proxy, let value else { return }
        if let address = IPAddress(proxy.host), !networks.permits(address) {
            value.report("is in one of access.denied_networks; add it to access.allowed_networks if it is meant")
        }
        if listen.proxy == ListenAddress(host: proxy.host, port: proxy.port) {
            value.report("is this proxy's own listener; name another proxy")
        }
    }
}

extension Value {
    fileprivate func upstreamProxy() -> UpstreamProxy? {
        if let state = scalar.flatMap(Value.switchState) {
            if state { report("must be the address of a proxy, like http://proxy.example.com:3128, or off") }
            return nil
        }
        guard isMapping else { return proxyAddress() }
        guard let section = section() else { return nil }
        let url = section.required("url")
        let username = section["username"]
        let password = section["password"]
        let trust = section["trust"]
        section.finish()
        if username != nil, password == nil { reportAtKey("lacks password beside username; it may be empty (\"\")") }
        if password != nil, username == nil { reportAtKey("lacks username beside password") }
        let roots = trust.map { $0.trustRoots() }
        guard var proxy = url?.proxyAddress() else { return nil }
        if proxy.trust == nil {
            trust?.reportAtKey(
                "is of no use beside an http:// proxy, which shows no certificate (that of the API is looked at all the same); "
                    + "remove it, or write https://"
            )
        } else if let roots {
            proxy.trust = roots
        }
        proxy.username = username?.proxyUsername()
        proxy.password = password?.secret(allowsEmpty: true)
        return proxy
    }

    /// The text is never printed: it may hold a password.
    fileprivate func proxyAddress() -> UpstreamProxy? {
        guard let text = word() else { return nil }
        do {
            return try UpstreamProxy(url: text)
        } catch {
            report("\(error)")
            return nil
        }
    }

    /// RFC 7617, section 2: the first colon ends the name.
    fileprivate func proxyUsername() -> String? {
        guard let name = word() else { return nil }
        guard !name.utf8.contains(UInt8(ascii: ":")) else {
            report("holds a colon, which ends a user name in Basic authentication; the password has a key of its own")
            return nil
        }
        return name
    }
}
