import Credentials
import OAuthSigning

extension PasswordCredentials {
    /// `password`
    static func read(_ section: Section) -> PasswordCredentials? {
        let login = members(of: section)
        section.finish()
        return login
    }

    /// `username` and `password` of a section that has more.
    static func members(of section: Section) -> PasswordCredentials? {
        let username = section.required("username")?.secret()
        let password = section.required("password")?.secret()
        guard let username, let password else { return nil }
        return PasswordCredentials(username: username.revealed(), password: password)
    }
}

extension XAuthSettings {
    /// `xauth`
    static func read(_ section: Section, addresses: ExchangeAddresses) -> XAuthSettings? {
        let accessToken = addresses.url(
            "access_token_url",
            of: section,
            preset: addresses.preset?.directExchange?.accessToken
        )
        let login = PasswordCredentials.members(of: section)
        section.finish()
        guard let accessToken, let login else { return nil }
        return XAuthSettings(accessTokenURL: accessToken, login: login)
    }
}
