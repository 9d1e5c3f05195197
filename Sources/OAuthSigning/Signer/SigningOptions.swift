/// The way in which an account's requests are signed.
package struct SigningOptions: Equatable, Sendable {
    package var signatureMethod: SignatureMethod
    /// The realm sent first in the `Authorization` field, as a quoted-string; never signed.
    package var realm: String?
    package var bodyHash: BodyHashPolicy
    package var placement: ParameterPlacement
    /// Indicates whether an empty `oauth_token` is sent when there is no token.
    package var sendsEmptyToken: Bool
    /// Indicates whether `oauth_version="1.0"` is sent.
    package var includesVersion: Bool
    /// The parameters that are left out although RFC 5849, section 3.1 asks for them (it lets PLAINTEXT do without
    /// nonce and timestamp).
    package var omitted: OmittedParameters

    package init(
        signatureMethod: SignatureMethod = .hmacSHA1,
        realm: String? = nil,
        bodyHash: BodyHashPolicy = .off,
        placement: ParameterPlacement = .header,
        sendsEmptyToken: Bool = false,
        includesVersion: Bool = true,
        omitted: OmittedParameters = []
    ) {
        self.signatureMethod = signatureMethod
        self.realm = realm
        self.bodyHash = bodyHash
        self.placement = placement
        self.sendsEmptyToken = sendsEmptyToken
        self.includesVersion = includesVersion
        self.omitted = omitted
    }
}

extension SigningOptions {
    /// Returns whether a body takes part in the signature (as a form, or because a hash of it is due), so that it must
    /// be collected before the head can be sent; one that takes no part may stream. The same for every account that
    /// signs this way, token or none.
    package func needsBody(contentType: Span<UInt8>?, hasBody: Bool) -> Bool {
        guard hasBody else { return false }
        guard let contentType, isFormMediaType(contentType) else { return bodyHash != .off }
        return placement == .body || bodyHash == .always || signatureMethod != .plaintext
    }

    /// `oauth_body_hash`, nil when none is due.
    func bodyHash(contentType: Span<UInt8>?, body: Span<UInt8>?) -> String? {
        let isDue =
            switch bodyHash {
            case .off: false
            case .on:
                if let contentType, isFormMediaType(contentType) { false } else { !(body?.isEmpty ?? true) }
            case .always: true
            }
        return isDue ? BodyHash.text(of: body, for: signatureMethod) : nil
    }
}

/// The policy for computing and sending `oauth_body_hash` (the OAuth Request Body Hash extension).
package enum BodyHashPolicy: String, CaseIterable, Sendable {
    /// The hash is never sent.
    case off
    /// The hash is sent for a body that is not empty and not a form; a form's parameters are signed one by one instead,
    /// as the extension demands.
    case on
    /// The hash is sent for every request: the empty body too, and a form, whose parameters are then covered by it
    /// alone and not signed one by one. This is what Mastercard's servers verify.
    case always
}

/// Protocol parameters that are neither sent nor signed.
package struct OmittedParameters: OptionSet, Hashable, Sendable {
    package let rawValue: UInt8

    package init(rawValue: UInt8) { self.rawValue = rawValue }

    package static let consumerKey = Self(rawValue: 1 << 0)
    package static let signatureMethod = Self(rawValue: 1 << 1)
    package static let nonce = Self(rawValue: 1 << 2)
    package static let timestamp = Self(rawValue: 1 << 3)
    package static let token = Self(rawValue: 1 << 4)
}

/// The place in which the protocol parameters are sent (RFC 5849, section 3.5).
package enum ParameterPlacement: String, CaseIterable, Sendable {
    /// The `Authorization` field (RFC 5849, section 3.5.1).
    case header
    /// The query of the request-target (RFC 5849, section 3.5.3).
    case query
    /// The body, which must be a form (RFC 5849, section 3.5.2).
    case body
}
