import Bytes

/// The server that a request was sent to.
package struct InspectedUpstream: Sendable {
    /// One certificate of the validated path, or of the presented chain where nothing was validated.
    package struct Certificate: Sendable {
        package var subject: String
        package var issuer: String
        /// The end of its validity, as RFC 3339 has it.
        package var notAfter: String
        /// The SHA-256 of its SubjectPublicKeyInfo, in base64.
        package var publicKeyPin: String
        /// Indicates whether a pin of the policy is its.
        package var isPinned: Bool

        package init(subject: String, issuer: String, notAfter: String, publicKeyPin: String, isPinned: Bool) {
            self.subject = subject
            self.issuer = issuer
            self.notAfter = notAfter
            self.publicKeyPin = publicKeyPin
            self.isPinned = isPinned
        }
    }

    /// The IP address and port; nil when it is not known.
    package var address: String?
    /// `http/1.1` or `h2`.
    package var version: String
    /// The certificates, the server's own first; empty without TLS.
    package var chain: [Certificate]

    package init(address: String?, version: String, chain: [Certificate]) {
        self.address = address
        self.version = version
        self.chain = chain
    }

    var json: JSONText {
        .object([
            ("address", .optional(address)), ("version", .string(version)),
            (
                "chain",
                .array(
                    chain.map { certificate in
                        .object([
                            ("subject", .string(certificate.subject)), ("issuer", .string(certificate.issuer)),
                            ("not_after", .string(certificate.notAfter)),
                            ("public_key_pin", .string(certificate.publicKeyPin)),
                            ("pinned", .boolean(certificate.isPinned)),
                        ])
                    }
                )
            ),
        ])
    }

    var cost: Int {
        chain.reduce(64) { $0 + $1.subject.utf8.count + $1.issuer.utf8.count + $1.publicKeyPin.utf8.count + 96 }
    }
}
