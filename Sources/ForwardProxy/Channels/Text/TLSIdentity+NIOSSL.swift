import NIOSSL
import SwiftASN1
import UpstreamTrust
import X509

extension TLSIdentity {
    var chainSource: [NIOSSLCertificateSource] {
        get throws {
            try chain.map { certificate in
                var serializer = DER.Serializer()
                try serializer.serialize(certificate)
                return .certificate(try NIOSSLCertificate(bytes: serializer.serializedBytes, format: .der))
            }
        }
    }

    var keySource: NIOSSLPrivateKeySource {
        get throws {
            .privateKey(try NIOSSLPrivateKey(bytes: try key.serializeAsPEM().derBytes, format: .der))
        }
    }
}
