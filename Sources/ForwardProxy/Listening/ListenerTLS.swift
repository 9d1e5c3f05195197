import NIOCore
import NIOSSL
import UpstreamTrust

/// The TLS that clients speak with the proxy itself, around CONNECT and everything else that they say to it.
struct ListenerTLS {
    private let context: NIOSSLContext

    /// - Throws: When the library takes no such certificate or key.
    init(_ identity: TLSIdentity) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.chainSource,
            privateKey: try identity.keySource
        )
        configuration.minimumTLSVersion = .tlsv12
        // No more than HTTP/1.1 is spoken with the proxy itself.
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = OrderlyClose.closeNotifyTime
        context = try NIOSSLContext(configuration: configuration)
    }

    func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
}
