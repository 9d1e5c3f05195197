import Bytes
import CoreMetrics
import FoundationEssentials
import LocalAuthority
import NIOSSL
import PrometheusMetrics
import Routing
import Synchronization
import UpstreamTrust

/// The TLS contexts that intercepted hosts are served with, one for each host, made when first needed.
///
/// Shared by all event loops, so that a session ticket given out on one is good on another. Asked once a connection.
final class LeafContexts: Sendable {
    private static let capacity = 1024
    /// The cipher suites of TLS 1.2: those with forward secrecy and authenticated encryption that go with the key of
    /// the leaves. Those of TLS 1.3 are all of this kind and not chosen here.
    private static let suites: [NIOTLSCipher] = [
        .TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256,
        .TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384,
        .TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256,
    ]

    private let authority: LocalAuthority
    private let clock: any ProxyClock
    private let leafKey: NIOSSLPrivateKey
    private let protocols: [String]
    private let made: Counter
    /// The contexts, each kept until half of what was left of its certificate's life is over.
    private let cache = Mutex(BoundedCache<ServerName, NIOSSLContext, Date>(limit: capacity))

    /// - Parameters:
    ///   - offersHTTP2: Whether clients may choose HTTP/2.
    ///   - registry: Counts the certificates.
    init(authority: LocalAuthority, clock: any ProxyClock, offersHTTP2: Bool, registry: MetricsRegistry) throws {
        made = Counter(label: ProxyMetrics.leaves.name, dimensions: [], factory: registry)
        protocols = offersHTTP2 ? ["h2", "http/1.1"] : ["http/1.1"]
        self.authority = authority
        self.clock = clock
        leafKey = try NIOSSLPrivateKey(bytes: authority.leafKeyDER, format: .der)
    }

    func context(for authority: Authority) throws -> NIOSSLContext {
        let name = ServerName(host: authority.host)
        let now = clock.wallTime.date
        if let context = cache.withLock({ $0.value(for: name, at: now) }) { return context }
        let leaf = try self.authority.leaf(for: name, now: now)
        let context = try NIOSSLContext(configuration: configuration(leaf))
        made.increment()
        let renewal = now.addingTimeInterval(leaf.notAfter.timeIntervalSince(now) / 2)
        cache.withLock { $0.insert(context, for: name, until: renewal, at: now) }
        return context
    }

    private func configuration(_ leaf: LeafCertificate) throws -> TLSConfiguration {
        let chain = try leaf.chainDER.map { try NIOSSLCertificate(bytes: $0, format: .der) }
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: chain.map { .certificate($0) },
            privateKey: .privateKey(leafKey)
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.cipherSuiteValues = Self.suites
        configuration.applicationProtocols = protocols
        configuration.shutdownTimeout = OrderlyClose.closeNotifyTime
        return configuration
    }
}
