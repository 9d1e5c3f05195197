import Credentials
import OAuthSigning

extension OAuth2Settings {
    /// The values that `grant_type` may have.
    fileprivate enum GrantType: String, CaseIterable {
        case send, omit
    }

    /// `oauth2`
    static func read(_ section: Section, addresses: ExchangeAddresses) -> OAuth2Settings? {
        let tokenURL = section.required("token_url").map { addresses.url($0) }
        let clientID = section.required("client_id")?.identifier()
        let clientSecret = section.required("client_secret")?.secret(allowsEmpty: true)
        let header = section["header"].map { $0.headerTemplate(takesColon: true) } ?? .bearer
        let grantType = section["grant_type"].map { $0.grantType() }
        let authentication = section["client_authentication"].map { $0.choice(of: ClientAuthentication.self) } ?? .body
        let scope = section["scope"].flatMap { $0.isNull ? nil : $0.scope() }
        section.finish()
        guard let tokenURL = tokenURL ?? nil, let clientID, let clientSecret, let header, let authentication else {
            return nil
        }
        return OAuth2Settings(
            tokenURL: tokenURL,
            clientID: clientID.revealed(),
            clientSecret: clientSecret,
            header: header,
            // Providers of `Token token="…"` have a grant of their own, which knows no grant_type.
            sendsGrantType: (grantType ?? nil).map { $0 == .send } ?? !header.prefix.hasPrefix("Token "),
            clientAuthentication: authentication,
            scope: scope
        )
    }
}

extension Value {
    fileprivate func grantType() -> OAuth2Settings.GrantType? {
        let grants = [
            "client_credentials", "authorization_code", "refresh_token", "password", "implicit", "device_code",
        ]
        guard let text = scalar, grants.contains(text) else { return choice() }
        report(
            "must be send or omit, for it says whether the field grant_type is sent; the grant is always that "
                + "of a password"
        )
        return nil
    }

    /// Words with one blank between two (RFC 6749, section 3.3).
    fileprivate func scope() -> String? {
        guard let text = word() else { return nil }
        let isScope = text.split(separator: " ", omittingEmptySubsequences: false).allSatisfy { word in
            !word.isEmpty && word.utf8.allSatisfy { (0x21...0x7E).contains($0) && $0 != 0x22 && $0 != 0x5C }
        }
        guard isScope else {
            report("must be words of visible ASCII with one blank between two, without quotes and backslashes")
            return nil
        }
        return text
    }
}
