import Credentials
import OAuthSigning

extension ProxySetup {
    /// One API in clear text that takes the accounts of one access type, and has none but `configured` of its own.
    static func enrolling(_ type: EnrolmentAccessType, port: Int) -> ProxySetup {
        var setup = ProxySetup.passwordGrant(port: port)
        setup.apis[0].acceptsEnrolled = true
        var target = EnrolmentSettings.Target(api: 0, verifyURL: "http://api.test\(EnrolmentClaim.path)")
        switch type {
        case .oauth1:
            setup.apis[0].scheme = .oauth1(OAuth1Settings(client: Secrets.client))
            setup.apis[0].accounts = [AccountSettings(name: "configured", source: .issued(Secrets.token))]
        case .bearer:
            setup.apis[0].scheme = .bearer(.bearer)
            setup.apis[0].accounts = [AccountSettings(name: "configured", source: .bearer(Secret("hidden-static")))]
        case .password:
            setup.apis[0].accounts[0].name = "configured"
            target.verifyURL = nil
        }
        setup.enrolment = EnrolmentSettings(targets: [type: target])
        return setup
    }
}

extension EnrolmentClaim {
    /// The path at which claims are verified.
    static let path = "/me"

    /// A claim of that kind that is true, of whoever the provider says; of the password grant, of alice.
    static func valid(_ type: EnrolmentAccessType, passkey: String = "alice") -> EnrolmentClaim {
        let passcode =
            switch type {
            case .oauth1: "account-token:hidden-token-secret"
            case .bearer: "hidden-bearer"
            case .password: "hidden-password"
            }
        return EnrolmentClaim(accessType: type, passkey: passkey, passcode: Secret(passcode))
    }

    /// The name that the enrolled account has in the vault.
    var name: CredentialName { CredentialName(api: "api", account: passkey) }
}
