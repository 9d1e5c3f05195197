import Credentials
import OAuthSigning
import Routing

extension ReverseAuthSettings {
    /// `reverse_auth`
    /// - Parameter route: the API, to whose hosts the exchange is confined: its secrets are for them.
    static func read(_ section: Section, route: APIRoute) -> ReverseAuthSettings? {
        let requestToken = section.required("request_token_url")?.exchangeURL(of: route)
        let accessToken = section.required("access_token_url")?.exchangeURL(of: route)
        let signedAs = section.required("signed_as")?.section().flatMap(Self.readSigner)
        section.finish()
        guard let requestToken, let accessToken, let signedAs else { return nil }
        return ReverseAuthSettings(requestTokenURL: requestToken, accessTokenURL: accessToken, signedAs: signedAs)
    }

    private static func readSigner(_ section: Section) -> (client: ClientCredentials, token: TokenCredentials)? {
        let consumerKey = section.required("consumer_key")?.secret()
        let consumerSecret = section.required("consumer_secret")?.secret(allowsEmpty: true)
        let token = section.required("token")?.secret()
        let tokenSecret = section.required("token_secret")?.secret(allowsEmpty: true)
        section.finish()
        guard let consumerKey, let consumerSecret, let token, let tokenSecret else { return nil }
        return (
            ClientCredentials(identifier: consumerKey.revealed(), sharedSecret: consumerSecret),
            TokenCredentials(token: token.revealed(), secret: tokenSecret)
        )
    }
}

extension Value {
    /// The URL itself is never printed: it may carry a password.
    fileprivate func exchangeURL(of route: APIRoute) -> String? {
        guard let text = word() else { return nil }
        guard let url = ExchangeURL(text) else {
            report("is not a URL like https://api.example.com/oauth/request_token (no user name, no #, no blanks)")
            return nil
        }
        let scheme: UpstreamScheme = url.scheme == .https ? .https : .http
        guard scheme == .https || route.upstreamScheme == .http else {
            report("must start with https://, for secrets travel there")
            return nil
        }
        do {
            let authority = try Authority(parsing: url.authority, defaultPort: scheme.defaultPort)
            guard route.hosts.contains(where: { $0.matches(authority, scheme: scheme) }) else {
                report(
                    "leads to \(shown(authority.description)), which is none of this API's hosts; its secrets go to no "
                        + "other host. Add it to apis.\(route.name).hosts if it belongs there"
                )
                return nil
            }
        } catch {
            report("leads to a host that \(error)")
            return nil
        }
        return text
    }
}
