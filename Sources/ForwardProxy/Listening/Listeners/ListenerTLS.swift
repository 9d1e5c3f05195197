import NIOCore
import NIOSSL
import UpstreamTrust

/// The TLS that clients speak with the proxy itself, around CONNECT and everything else that they say to it.
struct ListenerTLS {
    /// The cipher suites of TLS 1.2: those with forward secrecy and authenticated encryption, for either kind of key.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
        .TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private let context: NIOSSLContext

    /// - Throws: When the library takes no such certificate or key.
    init(_ identity: TLSIdentity) throws {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try identity.chainSource,
            privateKey: try identity.keySource
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.suites
        // No more than HTTP/1.1 is spoken with the proxy itself.
        configuration.applicationProtocols = ["http/1.1"]
        configuration.shutdownTimeout = OrderlyClose.closeNotifyTime
        context = try NIOSSLContext(configuration: configuration)
    }

    func makeHandler() -> NIOSSLServerHandler { NIOSSLServerHandler(context: context) }
}
