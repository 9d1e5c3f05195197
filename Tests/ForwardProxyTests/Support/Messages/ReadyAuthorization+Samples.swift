import Credentials
import OAuthSigning

@testable import ForwardProxy

extension ReadyAuthorization {
    private struct Unsendable: Error {}

    /// Returns one that signs, with a token that something was given for.
    static func signing() throws -> ReadyAuthorization {
        let client = ClientCredentials(identifier: "key", sharedSecret: Secret("consumer-secret"))
        return try sample(
            .oauth1(TokenCredentials(token: "the-token", secret: Secret("token-secret"))),
            oauth1: OAuth1Settings(client: client),
            client: try PreparedClient(client, options: SigningOptions()),
            origin: .exchange(generation: 0, refreshAt: nil, secrets: [Secret("exchanged")])
        )
    }

    /// Returns one whose requests bear an access token.
    static func bearing() throws -> ReadyAuthorization {
        try sample(.access(AccessToken(Secret("access-token"), refreshToken: Secret("refresh-token"))))
    }

    private static func sample(
        _ token: AccountToken,
        oauth1: OAuth1Settings? = nil,
        client: PreparedClient? = nil,
        origin: TokenOrigin = .configuration
    ) throws -> ReadyAuthorization {
        let ready = try ReadyAuthorization(
            token,
            oauth1: oauth1,
            client: client,
            template: .bearer,
            origin: origin
        )
        guard let ready else { throw Unsendable() }
        return ready
    }
}
