extension ProviderDiagnosis {
    /// The facts that are known on this side about the request that was refused.
    package struct Context: Sendable {
        /// By their names in the configuration.
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
        let isAccountID = own.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || $0 == UInt8(ascii: "_") }
        return isAccountID && (realm == nil || realm == own) ? cause : .realmWrong
    }
}
