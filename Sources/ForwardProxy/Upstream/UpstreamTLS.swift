import FoundationEssentials
import NIOCore
import NIOSSL
import Routing
import UpstreamTrust

/// The client side of one API's upstream TLS: made once, used by every connection of every event loop.
struct UpstreamTLS: Sendable {
    private let context: NIOSSLContext
    private let policy: TLSPolicy
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
        self.policy = policy
        self.verifier = ChainVerifier(policy: policy)
    }

    /// A handler for one connection to `authority`; nothing of a request can be written before its verification is over.
    func handler(
        authority: Authority,
        verdict: CertificateVerdict,
        loop: any EventLoop
    ) throws -> NIOSSLClientHandler {
        let name = ServerName(host: authority.host)
        let pinning = self.policy.pinning(for: authority)
        var sni: String?
        if case .dns(let text) = name { sni = text }
        let box = NIOLoopBound(verdict, eventLoop: loop)
        return try NIOSSLClientHandler(
            context: context,
            serverHostname: sni,
            customVerificationCallbackWithMetadata: { [verifier] presented, promise in
                Task {
                    let decision = await Self.verify(presented, name: name, pinning: pinning, verifier: verifier)
                    loop.execute {
                        switch decision {
                        case .accepted: promise.succeed(.certificateVerified(VerificationMetadata(nil)))
                        case .refused(let failure):
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
        pinning: PinningPolicy?,
        verifier: ChainVerifier
    ) async -> TrustDecision {
        let chain = presented.map { (try? $0.toDERBytes()) ?? [] }
        return await verifier.verify(presentedDER: chain, serverName: name, pinning: pinning, at: Date())
    }
}
