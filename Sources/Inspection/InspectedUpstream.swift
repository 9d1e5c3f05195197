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
        /// The SHA-256 of all of it, in base64.
        package var certificatePin: String

        package init(
            subject: String,
            issuer: String,
            notAfter: String,
            publicKeyPin: String,
            certificatePin: String,
            isPinned: Bool
        ) {
            self.subject = subject
            self.issuer = issuer
            self.notAfter = notAfter
            self.publicKeyPin = publicKeyPin
            self.certificatePin = certificatePin
            self.isPinned = isPinned
        }
    }

    /// The pins that are configured for it.
    package struct ConfiguredPins: Sendable {
        /// `public_key` or `certificate`.
        package var mode: String
        /// The place that the pinned certificate must have: `any`, `leaf`, `intermediate` or `root`.
        package var appliesTo: String
        package var pins: [String]

        package init(mode: String, appliesTo: String, pins: [String]) {
            self.mode = mode
            self.appliesTo = appliesTo
            self.pins = pins
        }
    }

    /// The IP address and port; nil when it is not known.
    package var address: String?
    /// `http/1.1` or `h2`; nil when nothing was sent.
    package var version: String?
    /// The certificates, the server's own first; empty without TLS.
    package var chain: [Certificate]
    /// The pins that the chain was compared with; nil when none are configured.
    package var pins: ConfiguredPins?
    /// The reason for which the certificates were not accepted, in words; nil when they were.
    package var refusal: String?

    package init(
        address: String?,
        version: String?,
        chain: [Certificate],
        pins: ConfiguredPins? = nil,
        refusal: String? = nil
    ) {
        self.address = address
        self.version = version
        self.chain = chain
        self.pins = pins
        self.refusal = refusal
    }

    var json: JSONText {
        .object([
            ("address", .string(address)), ("version", .string(version)),
            (
                "chain",
                .array(
                    chain.map { certificate in
                        .object([
                            ("subject", .string(certificate.subject)), ("issuer", .string(certificate.issuer)),
                            ("not_after", .string(certificate.notAfter)),
                            ("public_key_pin", .string(certificate.publicKeyPin)),
                            ("certificate_pin", .string(certificate.certificatePin)),
                            ("pinned", .boolean(certificate.isPinned)),
                        ])
                    }
                )
            ),
            ("pins", pins?.json ?? .null), ("refusal", .string(refusal)),
        ])
    }

    var cost: Int {
        chain.reduce(64 + (refusal?.utf8.count ?? 0) + (pins?.pins.count ?? 0) * 80) {
            $0 + $1.subject.utf8.count + $1.issuer.utf8.count + $1.publicKeyPin.utf8.count
                + $1.certificatePin.utf8.count + 112
        }
    }
}

extension InspectedUpstream.ConfiguredPins {
    fileprivate var json: JSONText {
        .object([
            ("mode", .string(mode)), ("applies_to", .string(appliesTo)), ("pins", .strings(pins)),
        ])
    }
}
