import FoundationEssentials
import NIOCore
import NIOSSL
import UpstreamTrust
import X509

/// The client side of one API's upstream TLS: made once, used by every connection of every event loop.
struct UpstreamTLS: Sendable {
    private let context: NIOSSLContext
    private let verifier: ChainVerifier

    init(policy: TLSPolicy) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = policy.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        // Chain, name and pins are checked by `verifier`, which replaces the library's own verification altogether: its
        // check of the name would look at the address that is connected to, which `connect_to` may change.
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        configuration.applicationProtocols = ["http/1.1"]
        configuration.renegotiationSupport = .none
        configuration.shutdownTimeout = ClosingTLS.patience
        self.context = try NIOSSLContext(configuration: configuration)
        self.verifier = ChainVerifier(policy: policy)
    }

    /// A handler for one connection to `host`; nothing of a request can be written before its verification is over.
    func handler(host: String, verdict: CertificateVerdict, loop: any EventLoop) throws -> NIOSSLClientHandler {
        let name = ServerName(host: host)
        var sni: String?
        if case .dns(let text) = name { sni = text }
        let box = NIOLoopBound(verdict, eventLoop: loop)
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: sni,
            customVerificationCallbackWithMetadata: { [verifier] presented, promise in
                Task {
                    let result = await Self.verify(presented, name: name, verifier: verifier)
                    loop.execute {
                        switch result {
                        case .success: promise.succeed(.certificateVerified(VerificationMetadata(nil)))
                        case .failure(let failure):
                            box.value.failure = failure
                            promise.succeed(.failed)
                        }
                    }
                }
            }
        )
    }

    private static func verify(
        _ presented: [NIOSSLCertificate],
        name: ServerName,
        verifier: ChainVerifier
    ) async -> Result<[Certificate], TrustFailure> {
        let chain = presented.map { (try? $0.toDERBytes()) ?? [] }
        return await verifier.verify(presentedDER: chain, serverName: name, at: Date())
    }
}
