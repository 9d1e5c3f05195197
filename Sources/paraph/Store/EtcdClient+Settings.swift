import CredentialStores
import ForwardProxy
import NIOSSL
import Settings
import UpstreamTrust

extension EtcdClient {
    /// - Throws: ``UnusableEtcdTLS``.
    convenience init(_ settings: EtcdSettings) throws(UnusableEtcdTLS) {
        let tls: TLSConfiguration
        do {
            tls = try Self.tls(settings)
        } catch {
            throw UnusableEtcdTLS(reason: "\(error)")
        }
        self.init(endpoints: settings.endpoints, tls: tls, user: settings.user)
    }

    private static func tls(_ settings: EtcdSettings) throws -> TLSConfiguration {
        var tls = TLSConfiguration.makeClientConfiguration()
        tls.minimumTLSVersion = .tlsv12
        if case .certificates(let roots) = settings.trust {
            tls.trustRoots = .certificates(try roots.map { try NIOSSLCertificate($0) })
        }
        if let identity = settings.identity {
            tls.certificateChain = try identity.chainSource
            tls.privateKey = try identity.keySource
        }
        return tls
    }
}

/// The reason why the certificates, or the key, of `vault.etcd` cannot be used.
struct UnusableEtcdTLS: Error, CustomStringConvertible {
    let reason: String

    var description: String { "The certificates or the private key of vault.etcd cannot be used for TLS: \(reason)." }
}
