import Inspection
import NIOCore
import NIOSSL
import Routing
import Synchronization
import UpstreamTrust

/// The client side of one API's upstream TLS: made once, used by every connection of every event loop.
final class UpstreamTLS: Sendable {
    private let api: String
    private let context: NIOSSLContext
    /// One that offers HTTP/1.1 alone, made when first needed.
    private let http1Context = Mutex<NIOSSLContext?>(nil)
    private let configuration: TLSConfiguration
    private let policy: TLSPolicy
    private let verifier: ChainVerifier
    /// The monitor that is told of decisions; nil when nobody is.
    private let monitor: TrustMonitor?
    /// The health of the API that is told of pins that fail and only report; nil when nobody is.
    private let health: APIHealth?
    private let clock: any ProxyClock
    /// The chain that was presented last: servers present the same one for weeks, and connections keep it.
    private let lastPresented = Mutex<[[UInt8]]>([])

    /// - Parameters:
    ///   - api: Its name, for the log.
    ///   - monitor: The monitor that is told of each verification.
    ///   - health: The health of the API that is told of pins that fail and only report.
    ///   - clock: Tells the time that certificates are judged at.
    ///   - protocols: The protocols that are offered by ALPN, in the order of preference.
    init(
        api: String,
        policy: TLSPolicy,
        monitor: TrustMonitor?,
        health: APIHealth? = nil,
        clock: any ProxyClock,
        protocols: [String] = ["h2", "http/1.1"]
    ) throws {
        var configuration = TLSConfiguration.makeClientConfiguration()
        configuration.minimumTLSVersion = policy.minimumVersion == .tls13 ? .tlsv13 : .tlsv12
        // Chain, name and pins are checked by `verifier`, which replaces the library's own verification altogether: its
        // check of the name would look at the address that is connected to, which `connect_to` may change.
        configuration.trustRoots = .certificates([])
        configuration.certificateVerification = .noHostnameVerification
        configuration.applicationProtocols = protocols
        configuration.renegotiationSupport = .none
        configuration.shutdownTimeout = OrderlyClose.closeNotifyTime
        if let identity = policy.clientIdentity {
            configuration.certificateChain = try identity.chainSource
            configuration.privateKey = try identity.keySource
        }
        self.api = api
        self.configuration = configuration
        context = try NIOSSLContext(configuration: configuration)
        self.policy = policy
        verifier = ChainVerifier(policy: policy)
        self.monitor = monitor
        self.health = health
        self.clock = clock
    }

    /// A handler for one connection to `authority`, with HTTP/1.1 alone on offer if `http1`; nothing of a request can
    /// be written before its verification is over.
    func handler(
        authority: Authority,
        verdict: CertificateVerdict,
        loop: any EventLoop,
        http1: Bool = false
    ) throws -> NIOSSLClientHandler {
        var sni: String?
        if case .dns(let text) = ServerName(host: authority.host) { sni = text }
        let box = NIOLoopBound(verdict, eventLoop: loop)
        return try NIOSSLClientHandler(
            context: http1 ? http1OnlyContext() : context,
            serverHostname: sni,
            customVerificationCallbackWithMetadata: { [self] presented, promise in
                Task {
                    let bytes = shared(presented.map { (try? $0.toDERBytes()) ?? [] })
                    let decision = await decide(bytes, of: authority)
                    note(decision, authority)
                    loop.execute {
                        box.value.presentedDER = bytes
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

    private func http1OnlyContext() throws -> NIOSSLContext {
        try http1Context.withLock { present in
            if let present { return present }
            var configuration = configuration
            configuration.applicationProtocols = ["http/1.1"]
            let made = try NIOSSLContext(configuration: configuration)
            present = made
            return made
        }
    }

    /// Returns whether certificates that were presented before still pass. What is reported of those that do is told as
    /// of a new connection's; those that do not are no failure of a request.
    func accepts(_ presentedDER: [[UInt8]], of authority: Authority) async -> Bool {
        let decision = await decide(presentedDER, of: authority)
        guard case .accepted = decision else { return false }
        note(decision, authority)
        return true
    }

    private func note(_ decision: TrustDecision, _ authority: Authority) {
        monitor?.note(decision, api: api, authority: authority)
        guard let health, case .accepted(let path) = decision else { return }
        health.reported(path.reported?.sentence, at: authority, time: clock.coarseWallSeconds)
    }

    func decide(_ presentedDER: [[UInt8]], of authority: Authority) async -> TrustDecision {
        await verifier.verify(
            presentedDER: presentedDER,
            serverName: ServerName(host: authority.host),
            pinning: policy.pinning(for: authority),
            at: clock.wallTime.date
        )
    }

    /// Returns what a server presented, as it is shown to a person.
    func describe(_ presentedDER: [[UInt8]], of authority: Authority) -> [InspectedUpstream.Certificate] {
        let pinning = policy.pinning(for: authority)
        return CertificateSummary.all(of: presentedDER, path: []).map { certificate in
            InspectedUpstream.Certificate(certificate, pinning: pinning)
        }
    }

    /// Returns the pins that are configured for a server; nil when none are.
    func pins(of authority: Authority) -> InspectedUpstream.ConfiguredPins? {
        policy.pinning(for: authority).map { InspectedUpstream.ConfiguredPins($0) }
    }

    /// The same bytes in the same memory as last time.
    private func shared(_ presentedDER: [[UInt8]]) -> [[UInt8]] {
        lastPresented.withLock { last in
            if last != presentedDER { last = presentedDER }
            return last
        }
    }
}
