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

    /// How the provider says no. The raw values are labels.
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
