import Foundation
import NIOCore
import NIOSSL
import SwiftASN1
import X509

@testable import ProviderSimulator

/// The identity that a TLS server shows: a chain and the key of its first certificate.
struct ServerIdentity {
    var chainDER: [[UInt8]]
    var keyDER: [UInt8]
    /// The only certificate that a client may show; nil: clients are not asked for one.
    var clientDER: [UInt8]?
    /// The protocols that it offers by ALPN.
    var protocols = ["http/1.1"]
    /// The newest version of TLS that it speaks; nil: every one.
    var maximumTLSVersion: NIOSSL.TLSVersion?

    /// The test API's own, whose root ``trusted`` is.
    static let shared = Result { try ProviderCertificates(dnsNames: ["api.test", "other.test"], now: Date()) }
    /// A hierarchy that nobody trusts.
    static let foreign = Result { try ProviderCertificates(dnsNames: ["api.test"], now: Date()) }

    init(_ certificates: ProviderCertificates, extra: [Certificate] = []) throws {
        chainDER = certificates.chainDER + (try extra.map { try $0.serializeAsPEM().derBytes })
        keyDER = certificates.leafKeyDER
    }

    func context() throws -> NIOSSLContext {
        var configuration = TLSConfiguration.makeServerConfiguration(
            certificateChain: try chainDER.map { .certificate(try NIOSSLCertificate(bytes: $0, format: .der)) },
            privateKey: .privateKey(try NIOSSLPrivateKey(bytes: keyDER, format: .der))
        )
        configuration.minimumTLSVersion = .tlsv12
        configuration.maximumTLSVersion = maximumTLSVersion
        if clientDER != nil { configuration.certificateVerification = .noHostnameVerification }
        configuration.applicationProtocols = protocols
        return try NIOSSLContext(configuration: configuration)
    }

    func handler(_ context: NIOSSLContext) -> NIOSSLServerHandler {
        guard let clientDER else { return NIOSSLServerHandler(context: context) }
        return NIOSSLServerHandler(context: context) { shown, promise in
            promise.succeed((try? shown.first?.toDERBytes()) == clientDER ? .certificateVerified : .failed)
        }
    }
}
