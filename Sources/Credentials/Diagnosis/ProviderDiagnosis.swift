import Bytes
package import OAuthSigning

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
    /// The scheme of another kind that it challenges for, in lower case, such as `basic`; nil where it has a challenge
    /// for OAuth or a token.
    package var otherScheme: String?
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
        otherScheme: String? = nil,
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
        self.otherScheme = otherScheme
        self.unreadBody = unreadBody
    }

    /// Indicates whether another token may help.
    package var refusesToken: Bool { cause == .tokenRefused }
}

extension ProviderDiagnosis {
    /// Returns what to do about a cause where the request carried an access token: there is no signature that could be
    /// corrected. Nil where it makes no difference.
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
        case .consumerKeyRefused, .tokenRefused, .verifierRefused, .realmWrong, .authenticationUnsupported,
            .permissionDenied, .accountLocked, .limited, .unknown:
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
        /// The consumer key is known, but blocked, expired, or not good for this.
        case consumerKeyRefused = "consumer_key_refused"
        /// The token is expired, revoked, used up, or unknown.
        case tokenRefused = "token_refused"
        case verifierRefused = "verifier_refused"
        /// The provider saw no credentials at all, or none that it understands.
        case credentialsMissing = "credentials_missing"
        case realmWrong = "realm_wrong"
        /// The provider takes credentials of another kind for this.
        case authenticationUnsupported = "authentication_unsupported"
        case permissionDenied = "permission_denied"
        case accountLocked = "account_locked"
        case limited = "limited"
        /// The provider refuses, and does not say why.
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

/// The finding of a reader in an answer, with the provider's words as they came.
struct ProviderFinding {
    var cause: ProviderDiagnosis.Cause
    var dialect: ProviderDiagnosis.Dialect
    var words: String
    var missingParameters: [String] = []
    var rejectedParameters: [String] = []
    var acceptableTimestamps: ClosedRange<UInt64>?
    var acceptableVersions: String?
    var expectedBaseString: String?
}

extension ProviderDiagnosis {
    /// The readers that know a shape first, those that go by words after them.
    private static let readers: [@Sendable (RefusedAnswer) -> ProviderFinding?] = [
        MastercardErrors.read, WooCommerceErrors.read, FacebookErrors.read, FlickrErrors.read, XErrors.read,
        ProblemReporting.read, BearerErrors.read, NetSuiteErrors.read, MagentoErrors.read, WordsReader.read,
    ]

    /// Reads a final response to a request that was signed or carried a token.
    ///
    /// - Parameters:
    ///   - fields: The fields of the header section; WWW-Authenticate is read.
    ///   - body: Its beginning, without a Content-Encoding, in UTF-8 or UTF-16; no more than 64 KiB of it are read.
    ///   - unreadBody: The reason why there is no body although the response has one, such as `Content-Encoding: br`.
    ///   - secrets: The secrets that must not be in anything that the diagnosis repeats.
    ///   - requestSecrets: The same of the client's request; asked for where there is something to repeat.
    /// - Returns: Nil when the response does not refuse authorization, such as a 400 or a 403 about anything else. A
    ///   401 always does, be it for an ``Cause/unknown`` cause.
    package static func read(
        status: Int,
        fields: [(String, String)],
        body: [UInt8],
        unreadBody: String? = nil,
        secrets: [Secret],
        requestSecrets: () -> RequestSecrets = { RequestSecrets() }
    ) -> ProviderDiagnosis? {
        let answer = RefusedAnswer(status: status, fields: fields, body: body, endpoint: .resource)
        return read(answer, unreadBody: unreadBody, secrets: secrets, requestSecrets: requestSecrets)
    }

    static func read(
        _ answer: RefusedAnswer,
        unreadBody: String? = nil,
        secrets: [Secret],
        requestSecrets: () -> RequestSecrets = { RequestSecrets() }
    ) -> ProviderDiagnosis? {
        var found: ProviderFinding?
        for read in readers {
            found = read(answer)
            if found != nil { break }
        }
        if found == nil, answer.status == 401 {
            let words = answer.isMarkup ? "" : answer.messages.first ?? ""
            found = ProviderFinding(cause: .unknown, dialect: .plain, words: words)
        }
        guard let found else { return nil }
        let own = requestSecrets()
        guard own.areAllKnown else {
            return ProviderDiagnosis(
                cause: found.cause,
                dialect: found.dialect,
                acceptableTimestamps: found.acceptableTimestamps
            )
        }
        let scrubber = Scrubber(secrets: secrets + own.values, words: own.words)
        let baseString = found.expectedBaseString.flatMap { text in
            // The request's own values are in it by right; of the provider's only names are told.
            ExpectedBaseString.shows(secrets, in: text) || scrubber.finds(in: ExpectedBaseString.names(in: text))
                ? nil : text
        }
        return ProviderDiagnosis(
            cause: found.cause,
            dialect: found.dialect,
            words: scrubber.words(of: Array(found.words.utf8)),
            missingParameters: found.missingParameters.map { scrubber.words(of: Array($0.utf8)) },
            rejectedParameters: found.rejectedParameters.map { scrubber.words(of: Array($0.utf8)) },
            acceptableTimestamps: found.acceptableTimestamps,
            acceptableVersions: found.acceptableVersions.map { scrubber.words(of: Array($0.utf8)) },
            expectedBaseString: baseString,
            realm: answer.challenge("oauth")?.parameters["realm"]
                .map { scrubber.words(of: Array($0.utf8), limit: 100) },
            otherScheme: answer.otherScheme,
            unreadBody: unreadBody.map { scrubber.words(of: Array($0.utf8), limit: 60) }
        )
    }
}

extension ProviderDiagnosis {
    /// The facts that are known on this side about the request that was refused.
    package struct Context: Sendable {
        /// The API and the account, by their names in the configuration.
        package var api: String
        package var account: String
        /// The provider's host, with or without a port; nil when it is not known.
        package var host: String?
        /// The credentials that vouched for the request.
        package var authorization: Authorization
        /// Indicates whether the client signs with a private key, and neither its secret nor the token's counts.
        package var usesPrivateKey: Bool
        /// Indicates whether the account was registered by its user and does not stand in the configuration.
        package var isEnrolled: Bool
        /// The command that gets the account a token; nil when none can be had by a command.
        package var loginCommand: String?
        /// The provider's clock minus the one that the request was signed by, in seconds.
        package var clockOffset: Int64?
        package var clockCorrection: ClockCorrection
        /// The realm that the request was sent with.
        package var realm: String?
        /// Indicates whether the proxy gets a new token by itself.
        package var isRenewable: Bool
        /// The signature base string that was signed.
        package var baseString: String?

        package enum Authorization: Sendable, CaseIterable {
            /// A signature with the client's and the token's credentials.
            case clientAndToken
            /// A signature with the client's credentials alone (two-legged).
            case clientAlone
            /// An access token and no signature (RFC 6750).
            case accessToken
        }

        package enum ClockCorrection: Sendable {
            case off
            case on
            /// A time that comes in clear text could be anybody's: none is followed.
            case clearText
        }

        package init(
            api: String,
            account: String,
            host: String? = nil,
            authorization: Authorization = .clientAndToken,
            usesPrivateKey: Bool = false,
            isEnrolled: Bool = false,
            loginCommand: String? = nil,
            clockOffset: Int64? = nil,
            clockCorrection: ClockCorrection = .off,
            realm: String? = nil,
            isRenewable: Bool = false,
            baseString: String? = nil
        ) {
            self.api = api
            self.account = account
            self.host = host
            self.authorization = authorization
            self.usesPrivateKey = usesPrivateKey
            self.isEnrolled = isEnrolled
            self.loginCommand = loginCommand
            self.clockOffset = clockOffset
            self.clockCorrection = clockCorrection
            self.realm = realm
            self.isRenewable = isRenewable
            self.baseString = baseString
        }

        /// The account as people know it.
        var name: String { "\(api)/\(account)" }

        /// Others have errors in NetSuite's shape, too.
        var isNetSuite: Bool {
            realm != nil || host?.lowercased().prefix { $0 != ":" }.hasSuffix(".netsuite.com") == true
        }
    }

    /// The cause, by what is known on both sides: NetSuite does not say that it is the realm.
    package func cause(in context: Context) -> Cause {
        guard dialect == .netsuite, context.authorization != .accessToken, realm != nil || context.isNetSuite,
            cause == .unknown || cause == .signatureInvalid || cause == .tokenRefused
        else { return cause }
        guard let own = context.realm else { return .realmWrong }
        let isAccountID = own.utf8.allSatisfy { $0.isDigit || $0.isUppercase || $0 == UInt8(ascii: "_") }
        return isAccountID && (realm == nil || realm == own) ? cause : .realmWrong
    }
}
