import OAuthSigning
import ProviderSimulator

/// A provider that knows an application, a platform account's client, and two users' tokens.
struct TestProvider {
    static let now: UInt64 = 1_700_000_000
    static let application = ClientCredentials(identifier: "app", sharedSecret: Secret("app-secret"), privateKey: nil)
    static let platform = ClientCredentials(
        identifier: "platform",
        sharedSecret: Secret("platform-secret"),
        privateKey: nil
    )
    static let platformToken = TokenCredentials(token: "platform-token", secret: Secret("platform-token-secret"))
    static let userToken = TokenCredentials(token: "user-token", secret: Secret("user-token-secret"))
    static let user = ProviderUser(id: "4711", screenName: "ada")

    static let settings = ProviderSettings(
        realm: "https://api.test",
        clients: [
            RegisteredClient(consumerKey: "app", consumerSecret: Secret("app-secret")),
            RegisteredClient(consumerKey: "platform", consumerSecret: Secret("platform-secret")),
        ],
        tokens: [
            AcceptedToken(credentials: platformToken, consumerKey: "platform", user: user),
            AcceptedToken(
                credentials: userToken,
                consumerKey: "app",
                user: ProviderUser(id: "12", screenName: "grace")
            ),
        ],
        users: [
            RegisteredUser(user: user, password: Secret("ada's password")),
            RegisteredUser(user: ProviderUser(id: "12", screenName: "grace"), password: Secret("compiler")),
        ]
    )

    let provider: OAuthProvider

    /// - Parameter change: Makes the difference from ``settings``.
    init(_ change: (inout ProviderSettings) -> Void = { _ in }) {
        var settings = Self.settings
        change(&settings)
        self.init(settings: settings)
    }

    init(settings: ProviderSettings) {
        provider = OAuthProvider(settings: settings)
    }

    func send(_ request: ReceivedRequest, at time: UInt64 = now) -> SimulatedAnswer {
        provider.answer(request, now: time)
    }

    /// Runs both steps, as they should be.
    func exchange() throws -> FormText {
        let text = send(try .requestToken())
        return FormText(send(try .accessToken(parameters: text.text)).text)
    }
}

extension SimulatedAnswer {
    var text: String { String(decoding: body, as: UTF8.self) }

    /// The first field of this name, as it is written here.
    func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}

/// An answer of `name=value` pairs, none of them encoded.
struct FormText {
    let values: [String: String]

    init(_ text: String) {
        values = Dictionary(
            text.split(separator: "&").map { pair in
                let parts = pair.split(separator: "=", maxSplits: 1)
                return (String(parts[0]), parts.count > 1 ? String(parts[1]) : "")
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    var token: TokenCredentials? {
        guard let token = values["oauth_token"], let secret = values["oauth_token_secret"] else { return nil }
        return TokenCredentials(token: token, secret: Secret(secret))
    }
}
