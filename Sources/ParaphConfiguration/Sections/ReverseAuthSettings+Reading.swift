import Credentials
import OAuthSigning

extension ReverseAuthSettings {
    /// `reverse_auth`
    static func read(_ section: Section, addresses: ExchangeAddresses) -> ReverseAuthSettings? {
        let known = addresses.preset?.directExchange
        let requestToken = addresses.url("request_token_url", of: section, preset: known?.requestToken)
        let accessToken = addresses.url("access_token_url", of: section, preset: known?.accessToken)
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
