import Credentials
import OAuthSigning

/// The settings and secrets that the exchanges are run with.
enum ExchangeSetting {
    static let password = "s3cr3tPassw0rd99"
    static let clientSecret = "cl13ntS3cr3t0000"
    static let refreshToken = "r3fr3shT0k3n7777"

    static let login = PasswordCredentials(username: "user", password: Secret(password))
    static let oauth1 = OAuth1Settings(
        client: ClientCredentials(identifier: "key", sharedSecret: Secret(clientSecret))
    )
    static let oauth2 = OAuth2Settings(
        tokenURL: "https://api.example.com/token",
        clientID: "key",
        clientSecret: Secret(clientSecret)
    )
    static let threeLegged = ThreeLeggedSettings(
        requestTokenURL: "https://api.example.com/request_token",
        authorizeURL: "https://api.example.com/authorize",
        accessTokenURL: "https://api.example.com/access_token",
        callback: .outOfBand
    )
}
