import Credentials
import OAuthSigning
import Testing

/// The password grant with secrets that occur nowhere by chance.
struct PasswordGrantExchangeScene {
    static let url = "https://members.example.com/oauth/token.json"
    static let login = PasswordCredentials(username: "m&m", password: Secret("pass word"))

    /// The settings for oPRO.
    static var opro: OAuth2Settings {
        OAuth2Settings(
            tokenURL: url,
            clientID: "client id",
            clientSecret: Secret("client/secret"),
            header: HeaderTemplate(#"Token token="{token}""#) ?? .bearer,
            sendsGrantType: false
        )
    }

    /// The settings for a provider that follows RFC 6749.
    static var standard: OAuth2Settings {
        var settings = opro
        settings.header = .bearer
        settings.sendsGrantType = true
        return settings
    }

    static func stored(refreshToken: String? = "old-refresh") -> StoredCredential {
        StoredCredential(
            token: .access(
                AccessToken(Secret("old-access"), expiresAt: 100, refreshToken: refreshToken.map { Secret($0) })
            ),
            attributes: ["id": "7", "scope": "old"],
            obtainedAt: 50,
            origin: .enrolment,
            login: login
        )
    }

    var settings = Self.standard
    var stored: StoredCredential?

    var exchange: PasswordGrantExchange {
        PasswordGrantExchange(settings: settings, login: Self.login, stored: stored)
    }

    /// Returns what an answer to the first request leads to.
    func outcome(_ status: Int, _ body: String, fields: [(String, String)] = []) throws -> ExchangeOutcome {
        var exchange = exchange
        _ = try exchange.start()
        let response = ExchangeResponse(status: status, fields: fields, body: Array(body.utf8))
        return exchange.receive(response, timestamp: 1_000)
    }

    func token(_ body: String) throws -> AccessToken? {
        guard case .access(let token)? = try outcome(200, body).credential?.token else { return nil }
        return token
    }
}
