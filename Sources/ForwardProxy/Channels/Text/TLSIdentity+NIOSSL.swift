package import NIOSSL
import SwiftASN1
package import UpstreamTrust
package import X509

extension TLSIdentity {
    package var chainSource: [NIOSSLCertificateSource] {
        get throws { try chain.map { .certificate(try NIOSSLCertificate($0)) } }
    }

    package var keySource: NIOSSLPrivateKeySource {
        get throws {
            .privateKey(try NIOSSLPrivateKey(bytes: try key.serializeAsPEM().derBytes, format: .der))
        }
    }
}

extension NIOSSLCertificate {
    package convenience init(_ certificate: Certificate) throws {
        var serializer = DER.Serializer()
        try serializer.serialize(certificate)
        try self.init(bytes: serializer.serializedBytes, format: .der)
    }
}
