import Bytes
package import X509

/// The identity of this side when an upstream asks for a client certificate (mutual TLS).
package struct ClientIdentity: Sendable {
    /// The certificate of ``key`` first, then what leads towards a root that the upstream knows.
    package var chain: [Certificate]
    package var key: Certificate.PrivateKey

    package init(chain: [Certificate], key: Certificate.PrivateKey) {
        self.chain = chain
        self.key = key
    }
}

extension ClientIdentity: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// The subject; nothing of the key.
    package var description: String {
        "client identity \(chain.first.map { PrintableText.name($0.subject) } ?? "without a certificate")"
    }

    package var debugDescription: String { description }

    package var customMirror: Mirror { Mirror(self, children: [:]) }
}
