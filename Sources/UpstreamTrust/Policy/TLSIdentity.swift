import Bytes
package import FoundationEssentials
package import X509

/// The identity of this side: of the client, when an upstream asks for its certificate (mutual TLS), or of a listener.
package struct TLSIdentity: Equatable, Sendable {
    /// The certificate of ``key`` first, then what leads towards a root that the other side knows.
    package var chain: [Certificate]
    package var key: Certificate.PrivateKey

    package init(chain: [Certificate], key: Certificate.PrivateKey) {
        self.chain = chain
        self.key = key
    }

    /// The hosts that the certificate is for.
    package var names: ServerCertificateNames {
        ServerCertificateNames((try? chain.first?.extensions.subjectAlternativeNames) ?? SubjectAlternativeNames())
    }

    /// The time at which the first of the certificates expires.
    package var expires: Date? { chain.map(\.notValidAfter).min() }
}

extension TLSIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The subject; nothing of the key.
    package var description: String {
        "TLS identity \(chain.first.map { PrintableText.name($0.subject) } ?? "without a certificate")"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
