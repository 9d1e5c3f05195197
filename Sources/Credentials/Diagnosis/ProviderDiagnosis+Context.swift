extension ProviderDiagnosis {
    /// What is known on this side about the request that was refused.
    package struct Context: Sendable {
        /// By their names in the configuration.
        package var api: String
        package var account: String
        /// The command that gets the account a token; nil when none can be had by a command.
        package var loginCommand: String?
        /// The provider's clock minus the one that the request was signed by, in seconds.
        package var clockOffset: Int64?
        /// The realm that the request was sent with.
        package var realm: String?
        /// Whether the proxy gets a new token by itself.
        package var isRenewable: Bool
        /// The signature base string that was signed.
        package var baseString: String?

        package init(
            api: String,
            account: String,
            loginCommand: String? = nil,
            clockOffset: Int64? = nil,
            realm: String? = nil,
            isRenewable: Bool = false,
            baseString: String? = nil
        ) {
            self.api = api
            self.account = account
            self.loginCommand = loginCommand
            self.clockOffset = clockOffset
            self.realm = realm
            self.isRenewable = isRenewable
            self.baseString = baseString
        }
    }

    /// The cause, by what is known on both sides: NetSuite does not say that it is the realm.
    package func cause(in context: Context) -> Cause {
        guard dialect == .netsuite, cause == .unknown || cause == .signatureInvalid || cause == .tokenRefused else {
            return cause
        }
        guard let own = context.realm else { return .realmWrong }
        let isAccountID = own.utf8.allSatisfy { 0x30...0x39 ~= $0 || 0x41...0x5A ~= $0 || $0 == UInt8(ascii: "_") }
        return isAccountID && (realm == nil || realm == own) ? cause : .realmWrong
    }
}
