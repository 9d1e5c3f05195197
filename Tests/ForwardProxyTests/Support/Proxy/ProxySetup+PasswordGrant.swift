import Credentials
import OAuthSigning

extension ProxySetup {
    /// One API in clear text, whose only account has its access tokens by the password grant of ``GrantingProvider``.
    static func passwordGrant(
        port: Int,
        header: HeaderTemplate = .bearer,
        sendsGrantType: Bool = true
    ) -> ProxySetup {
        var setup = ProxySetup(apis: [API(port: port)])
        setup.apis[0].scheme = .oauth2(
            OAuth2Settings(
                tokenURL: "http://api.test\(GrantingProvider.path)",
                clientID: "app",
                clientSecret: Secret("hidden-app-secret"),
                header: header,
                sendsGrantType: sendsGrantType
            )
        )
        let login = PasswordCredentials(username: "alice", password: Secret("hidden-password"))
        setup.apis[0].accounts = [AccountSettings(name: "default", source: .password(login))]
        return setup
    }
}
