import Bytes
import Credentials
import ParaphConfiguration
import Routing
import Settings
import UpstreamTrust

/// The proxy, as clients are told of it.
struct ClientProxy: Sendable, Equatable {
    /// A name or an address, without brackets.
    private(set) var host: String
    let port: Int
    /// `NAME:PASSWORD`, as it stands in a URL. Java's virtual machines take none.
    var userInformation: String?
    /// Indicates whether it is spoken to by TLS, in which it has to be called by a name of its certificate.
    var speaksTLS = false
    /// The names of its certificate, where ``host`` is none of them.
    private(set) var otherNames: String?

    init(host: String, port: Int, userInformation: String? = nil, speaksTLS: Bool = false) {
        self.host = host
        self.port = port
        self.userInformation = userInformation
        self.speaksTLS = speaksTLS
    }

    var url: String {
        let user = userInformation.map { "\($0)@" } ?? ""
        let scheme = speaksTLS ? URIScheme.https : .http
        return "\(scheme.rawValue)://\(user)\(bracketed(host: host)):\(port)"
    }
}

extension ClientProxy {
    /// Describes the proxy as programs on this machine reach it.
    init(_ configuration: Configuration, client: String?) throws(EnvError) {
        let listen = configuration.proxy.address
        if let path = listen.path { throw .unixSocket(path, file: configuration.file) }
        guard listen.port != 0 else { throw .noFixedPort(file: configuration.file) }
        let known = configuration.access.clients.map(\.name)
        let userInformation: String?
        switch (client, known.isEmpty) {
        case (nil, true): userInformation = nil
        case (nil, false): throw .clientNeeded(known: known)
        case (let name?, true): throw .noClients(name)
        case (let name?, false):
            guard known.contains(where: { sameBytes($0, name) }) else { throw .unknownClient(name, known: known) }
            userInformation =
                "\(String(decoding: PercentEncoding.encode(name.utf8), as: UTF8.self)):\(ClientPassword.reference)"
        }
        self.init(
            listen,
            certificate: configuration.proxy.identity.map { $0.names },
            userInformation: userInformation
        )
    }

    /// Describes a proxy that listens on an address.
    ///
    /// - Parameter certificate: The names of its certificate; nil: it speaks no TLS.
    init(_ listen: ListenAddress, certificate: ServerCertificateNames?, userInformation: String? = nil) {
        let loopback = listen.host.utf8.contains(UInt8(ascii: ":")) ? "::1" : "127.0.0.1"
        let isAny = IPAddress(listen.host)?.isUnspecified == true
        let plain = isAny ? loopback : listen.host
        self.init(host: plain, port: listen.port, userInformation: userInformation, speaksTLS: certificate != nil)
        guard let certificate, !certificate.contains(ServerName(host: plain)) else { return }
        var candidates = isAny || plain == "localhost" || plain == loopback ? ["localhost", loopback] : []
        // That a name leads to another address than loopback is likely: it was made for that.
        if !listen.isLoopback { candidates += certificate.hosts.filter { $0 != "localhost" } }
        if let name = candidates.first(where: { certificate.contains(ServerName(host: $0)) }) {
            host = name
        } else {
            otherNames = certificate.shown.joined(separator: ", ")
        }
    }
}
