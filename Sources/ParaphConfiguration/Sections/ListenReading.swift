import Bytes
import Files
import OAuthSigning
import Routing
import Settings
import UpstreamTrust

/// `listen`
struct ListenReading {
    private(set) var proxy = ListenAddress(host: "127.0.0.1", port: 8080)
    /// The certificate of the proxy's listener; nil: it speaks no TLS.
    private(set) var identity: TLSIdentity?
    /// The address of the admin listener; nil when it is off.
    private(set) var admin: ListenAddress? = defaultAdmin
    /// The token that the admin listener asks for; nil: it has none of its own.
    private(set) var adminToken: Secret?

    private static let defaultAdmin = ListenAddress(host: "127.0.0.1", port: 8081)

    static let openListener =
        "lets anyone who reaches it sign requests; list who may under access.clients, or listen on 127.0.0.1"

    private static let openAdmin =
        "lets anyone who reaches it list and remove accounts, and stop the proxy; give it a token (admin: {address: …, "
        + "token: …}), or listen on 127.0.0.1"

    /// - Parameters:
    ///   - isOpen: Whether whoever reaches the listener may use the proxy, which then has to be on loopback.
    ///   - hasEnrolmentToken: Whether `enrolment` has a token, which is the admin listener's then.
    init(_ section: Section?, isOpen: Bool, hasEnrolmentToken: Bool) {
        guard let section else { return }
        let proxyValue = section["proxy"]
        let adminValue = section["admin"]
        defer { section.finish() }
        if let proxyValue { readProxy(proxyValue, isOpen: isOpen) }
        if let adminValue { readAdmin(adminValue, hasEnrolmentToken: hasEnrolmentToken) }
        if let admin, proxy.clashes(with: admin) {
            (adminValue ?? proxyValue)?.report("is the address of the other listener too; give each its own port")
        }
    }

    /// The address of the admin listener alone. Its token is not read, and it may be missing.
    ///
    /// - Returns: Nil when it is off, or when a mistake was reported.
    static func adminAddress(_ section: Section?) -> ListenAddress? {
        guard let value = section?["admin"] else { return defaultAdmin }
        if isSwitch(value) { return nil }
        return value.isMapping
            ? value.section()?.required("address")?.listenAddress() : value.listenAddress()
    }

    /// The admin listener's own token alone; nil when it has none, or when a mistake was reported.
    static func adminToken(_ section: Section?) -> Secret? {
        guard let value = section?["admin"], value.isMapping else { return nil }
        return value.section()?["token"]?.bearerToken()
    }

    /// Returns whether an admin listener is a switch's word, of which only `off` is none of the mistakes.
    private static func isSwitch(_ value: Value) -> Bool {
        guard let isOn = value.scalar.flatMap(Value.switchState) else { return false }
        if isOn { value.report("must be an address, like 127.0.0.1:8081, or off") }
        return true
    }

    /// `proxy`: an address, or an address with a certificate and its key.
    private mutating func readProxy(_ value: Value, isOpen: Bool) {
        var addressValue: Value? = value
        var speaksTLS = false
        if value.isMapping, let section = value.section() {
            addressValue = section.required("address")
            let certificate = section["certificate"]
            let key = section["private_key"]
            section.finish()
            identity = TLSIdentity.read(
                certificate: certificate,
                key: key,
                of: section,
                names: ("certificate", "private_key")
            )
            // One that cannot be read is a mistake, which is enough of it.
            speaksTLS = [certificate, key].contains { $0?.isNull == false }
        }
        guard let addressValue, let address = addressValue.listenAddress(takesPath: true) else { return }
        proxy = address
        guard !address.isLoopback else { return }
        if isOpen {
            addressValue.report(Self.openListener)
        } else if !speaksTLS {
            addressValue.advise(
                .warning,
                "takes passwords in clear text, which whoever is on the way can read; give it TLS "
                    + "(proxy: {address: …, certificate: …, private_key: …}), or listen on 127.0.0.1"
            )
        }
    }

    /// `admin`: an address, `off`, or an address and a token.
    private mutating func readAdmin(_ value: Value, hasEnrolmentToken: Bool) {
        if Self.isSwitch(value) {
            admin = nil
            return
        }
        var addressValue: Value? = value
        var hasToken = hasEnrolmentToken
        if value.isMapping, let section = value.section() {
            addressValue = section.required("address")
            let token = section["token"]
            section.finish()
            adminToken = token?.bearerToken()
            if hasEnrolmentToken { token?.report("is written as enrolment.token too; keep one of them") }
            hasToken = hasToken || token != nil
        }
        guard let addressValue, let address = addressValue.listenAddress() else { return }
        admin = address
        guard !address.isLoopback else { return }
        if hasToken {
            addressValue.advise(
                .warning,
                "takes its token in clear text, which whoever is on the way can read; let nobody but a trusted network "
                    + "reach it, or listen on 127.0.0.1"
            )
        } else {
            addressValue.report(Self.openAdmin)
        }
    }
}

extension Value {
    /// `127.0.0.1:8080`, `[::1]:8080` or `localhost:8080`; port 0 is any free port.
    ///
    /// - Parameter takesPath: Whether it may be `unix:PATH`, too.
    func listenAddress(takesPath: Bool = false) -> ListenAddress? {
        guard let text = word() else { return nil }
        if text.hasPrefix("unix:") {
            guard takesPath else {
                report("cannot be a Unix domain socket, as listen.proxy alone can: its clients know a host and a port")
                return nil
            }
            return socketAddress(text.dropFirst(5))
        }
        if (text.hasPrefix(":") && !text.hasPrefix("::")) || text.hasPrefix("*:") {
            report(
                "names no address; write 127.0.0.1:PORT to be reached from this machine alone, 0.0.0.0:PORT for "
                    + "every IPv4 address, or \"[::]:PORT\" for every address"
            )
            return nil
        }
        if let port = Int(text), (0...65_535).contains(port) {
            report("names no address; write 127.0.0.1:\(port) to be reached from this machine alone")
            return nil
        }
        // An authority has no port 0; here it means any.
        let isAnyPort = text.hasSuffix(":0")
        do {
            let authority = try Authority(
                parsing: isAnyPort ? String(text.dropLast(2)) : text,
                defaultPort: isAnyPort ? 1 : nil
            )
            return ListenAddress(host: authority.host, port: isAnyPort ? 0 : authority.port)
        } catch {
            report(addressSlip(text) ?? "\(error)")
            return nil
        }
    }

    private func socketAddress(_ name: Substring) -> ListenAddress? {
        guard !name.isEmpty, name.utf8.last != UInt8(ascii: "/") else {
            report("names no file; write the path of a socket, like unix:/run/paraph/proxy.sock")
            return nil
        }
        let path = Directory.absolutePath(of: context.resolve(String(name)))
        guard path.utf8.count <= ListenAddress.mostPathBytes else {
            report(
                "has a path of \(path.utf8.count) bytes, and the kernel takes \(ListenAddress.mostPathBytes) for a socket; "
                    + "take a shorter one, like unix:/run/paraph/proxy.sock"
            )
            return nil
        }
        return ListenAddress(path: path)
    }

    /// Words on what was probably meant by a text that is no address.
    private func addressSlip(_ text: String) -> String? {
        if text.hasPrefix("http://") || text.hasPrefix("https://") || text.hasPrefix("tcp://") {
            return "is written without a scheme, as HOST:PORT, like 127.0.0.1:8080"
        }
        if ["none", "no", "disabled", "never"].contains(text.lowercased()), sectionName != "listen.proxy" {
            return "is no address; write off, or HOST:PORT"
        }
        guard let colon = text.lastIndex(of: ":"), case .v6? = IPAddress(String(text[..<colon])) else { return nil }
        return "is an IPv6 address without brackets; write it with them and in quotes, like \"[::1]:8080\""
    }
}
