import OAuthSigning
import ProviderSimulator
import Testing

/// The three legs of RFC 5849, section 2, as a client and a browser go through them.
struct ThreeLeggedScene {
    let test: TestProvider
    var options = SigningOptions()
    var agent: [(name: String, value: String)] = []

    private var paths: ProviderPaths { test.provider.settings.paths }

    /// The answer of the first leg.
    func temporary(callback: String? = "oob", method: String = "POST", nonce: String = "leg-1") throws
        -> SimulatedAnswer
    {
        var request = try ReceivedRequest.signed(
            method,
            paths.requestToken,
            token: nil,
            options: options,
            nonce: nonce,
            parameters: callback.map { [("oauth_callback", $0)] } ?? []
        )
        request.fields += agent
        return test.send(request)
    }

    /// The second leg, without a signature.
    func authorize(_ query: String, method: String = "GET", form: String = "") -> SimulatedAnswer {
        var request = ReceivedRequest(method: method, target: "\(paths.authorize)?\(query)", authority: "api.test")
        request.fields = agent
        if !form.isEmpty {
            request.fields.append(("Content-Type", ReceivedRequest.form))
            request.body = Array(form.utf8)
        }
        return test.send(request)
    }

    /// The answer of the third leg.
    func access(
        _ temporary: TokenCredentials,
        verifier: String?,
        client: ClientCredentials = TestProvider.application,
        nonce: String = "leg-3"
    ) throws -> SimulatedAnswer {
        var request = try ReceivedRequest.signed(
            "POST",
            paths.accessToken,
            client: client,
            token: temporary,
            options: options,
            nonce: nonce,
            parameters: verifier.map { [("oauth_verifier", $0)] } ?? []
        )
        request.fields += agent
        return test.send(request)
    }

    /// Temporary credentials, approved, and their verifier as the page shows it.
    func approved(user: String = "grace", more: String = "") throws -> (TokenCredentials, verifier: String) {
        let temporary = try #require(FormText(temporary().text).token)
        let page = authorize("oauth_token=\(temporary.token)&approve=1&user=\(user)\(more)").text
        return (
            temporary,
            try #require(page.split(separator: "<code>").last?.split(separator: "</code>").first.map(String.init))
        )
    }
}
