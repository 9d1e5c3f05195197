/// The reason why a provider refuses a request, as far as its answer tells.
package struct ProviderDiagnosis: Sendable, Equatable {
    package var cause: Cause
    package var dialect: Dialect
    /// The provider's words: scrubbed of secrets, printable, at most 200 characters. May be empty.
    package var words: String
    /// The names of the parameters that it misses, and of those it does not accept.
    package var missingParameters: [String]
    package var rejectedParameters: [String]
    /// The values of `oauth_timestamp` that it accepts, in seconds; a single one where it only told the time.
    package var acceptableTimestamps: ClosedRange<UInt64>?
    /// The versions that it accepts, as it wrote them (`1.0-1.0`).
    package var acceptableVersions: String?
    /// The signature base string (RFC 5849, section 3.4.1) that it made of the request; nil too when it is longer than
    /// 8 KiB or has a secret in it.
    package var expectedBaseString: String?
    /// The realm of its OAuth challenge.
    package var realm: String?
    /// The reason why its body could not be read, in a few words; nil when it was.
    package var unreadBody: String?

    package init(
        cause: Cause,
        dialect: Dialect,
        words: String = "",
        missingParameters: [String] = [],
        rejectedParameters: [String] = [],
        acceptableTimestamps: ClosedRange<UInt64>? = nil,
        acceptableVersions: String? = nil,
        expectedBaseString: String? = nil,
        realm: String? = nil,
        unreadBody: String? = nil
    ) {
        self.cause = cause
        self.dialect = dialect
        self.words = words
        self.missingParameters = missingParameters
        self.rejectedParameters = rejectedParameters
        self.acceptableTimestamps = acceptableTimestamps
        self.acceptableVersions = acceptableVersions
        self.expectedBaseString = expectedBaseString
        self.realm = realm
        self.unreadBody = unreadBody
    }

    /// Indicates whether another token may help.
    package var refusesToken: Bool { cause == .tokenRefused }
}

extension ProviderDiagnosis {
    /// Returns what to do about a cause where the request carried an access token: there is no signature that could be
    /// mended. Nil where it makes no difference.
    func tokenRemedy(of cause: Cause, _ context: Context) -> String? {
        let refused: String
        switch cause {
        case .signatureInvalid:
            return "Signature invalid: requests of \(context.name) have none but their token's own, so that the token "
                + "is wrong. \(Self.renewal(context))"
        case .credentialsMissing:
            return "The provider saw no credentials that it understands: check whether it takes access tokens in "
                + "Authorization, and whether something on the way drops that field."
        case .consumerKeyUnknown:
            return "Consumer key unknown: the token of \(context.name) is not of an application that this host knows."
        case .timestampRefused: refused = "Timestamp refused"
        case .nonceUsed: refused = "Nonce used"
        case .signatureMethodRejected: refused = "Signature method refused"
        case .bodyHashWrong: refused = "Body hash wrong"
        case .versionRejected: refused = "Version refused"
        case .parameterAbsent: refused = "Parameters missing"
        case .parameterRejected: refused = "Parameters refused"
        case .consumerKeyRefused, .tokenRefused, .verifierRefused, .realmWrong, .permissionDenied, .accountLocked,
            .limited, .unknown:
            return nil
        }
        return "\(refused): the provider looks for a signature, but requests of \(context.name) carry an access token. "
            + "If it wants them signed, \(context.api) needs oauth1."
    }
}

extension ProviderDiagnosis {
    /// The raw values are labels.
    package enum Cause: String, Sendable, CaseIterable {
        case timestampRefused = "timestamp_refused"
        case nonceUsed = "nonce_used"
        case signatureInvalid = "signature_invalid"
        case signatureMethodRejected = "signature_method_rejected"
        case bodyHashWrong = "body_hash_wrong"
        case versionRejected = "version_rejected"
        case parameterAbsent = "parameter_absent"
        case parameterRejected = "parameter_rejected"
        case consumerKeyUnknown = "consumer_key_unknown"
        /// Known, but blocked, expired, or not good for this.
        case consumerKeyRefused = "consumer_key_refused"
        /// Expired, revoked, used up, or unknown.
        case tokenRefused = "token_refused"
        case verifierRefused = "verifier_refused"
        /// The provider saw no credentials at all, or none that it understands.
        case credentialsMissing = "credentials_missing"
        case realmWrong = "realm_wrong"
        case permissionDenied = "permission_denied"
        case accountLocked = "account_locked"
        case limited = "limited"
        /// It says no, and not why.
        case unknown = "unknown"
    }

    /// The way in which the provider says no. The raw values are labels.
    package enum Dialect: String, Sendable, CaseIterable {
        /// OAuth Problem Reporting: `oauth_problem` in WWW-Authenticate or in the body.
        case problemReporting = "problem_reporting"
        case x
        case magento
        case mastercard
        case flickr
        case netsuite
        case woocommerce
        case facebook
        /// RFC 6750, section 3, and RFC 6749, section 5.2.
        case bearer
        /// Words alone, as the OAuth libraries for Python and PHP have them (Discogs, MAAS, LTI), Trello and Tumblr.
        case plain
    }
}
