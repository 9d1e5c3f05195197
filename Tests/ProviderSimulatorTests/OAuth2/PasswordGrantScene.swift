import FoundationEssentials
import OAuthSigning
import ProviderSimulator

/// A provider of the password grant, and its client.
struct PasswordGrantScene {
    struct Tokens: Decodable {
        let access_token: String
        let token_type: String
        let expires_in: UInt64?
        let refresh_token: String?
    }

    static let oPRO = ProviderSettings.oPRO(clientID: "id", clientSecret: secret, users: TestProvider.settings.users)
    static let rfc6749 = ProviderSettings.rfc6749(
        clientID: "id",
        clientSecret: secret,
        users: TestProvider.settings.users
    )
    private static let secret = Secret("the client's secret")
    static let client = "client_id=id&client_secret=the+client%27s+secret"
    static let user = "username=grace&password=compiler"

    let test: TestProvider

    init(_ settings: ProviderSettings, _ change: (inout PasswordGrantRules) -> Void = { _ in }) {
        var settings = settings
        if var rules = settings.passwordGrant {
            change(&rules)
            settings.passwordGrant = rules
        }
        test = TestProvider(settings: settings)
    }

    var ledger: ProviderLedger { test.provider.ledger }

    func post(
        _ form: String,
        authorization: String? = nil,
        query: String = "",
        at time: UInt64 = TestProvider.now
    ) -> SimulatedAnswer {
        var request = ReceivedRequest(
            method: "POST",
            target: test.provider.settings.paths.token + query,
            authority: "api.test",
            fields: [("Content-Type", ReceivedRequest.form)],
            body: Array(form.utf8)
        )
        if let authorization { request.fields.append(("Authorization", authorization)) }
        return test.send(request, at: time)
    }

    func tokens(_ form: String) throws -> Tokens {
        try JSONDecoder().decode(Tokens.self, from: Data(post(form).body))
    }

    /// The status of a request for a resource with this value of `Authorization`.
    func use(_ authorization: String, at time: UInt64 = TestProvider.now) -> Int {
        let fields = [(name: "Authorization", value: authorization)]
        let request = ReceivedRequest(method: "GET", target: "/list", authority: "api.test", fields: fields)
        return test.send(request, at: time).status
    }
}
