import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct XAuthTests {
    private let test = TestProvider()

    private func send(_ form: String, token: TokenCredentials? = nil, nonce: String = "xauth") throws -> SimulatedAnswer
    {
        test.send(
            try .signed(
                "POST",
                "/oauth/access_token",
                contentType: ReceivedRequest.form,
                body: form,
                token: token,
                nonce: nonce
            )
        )
    }

    @Test func `a user name and a password lead to a token`() throws {
        let answer = try send("x_auth_mode=client_auth&x_auth_username=ada&x_auth_password=ada%27s+password")
        #expect(answer.status == 200)
        let granted = FormText(answer.text)
        #expect(granted.values["user_id"] == "4711")
        #expect(test.send(try .signed(token: granted.token)).status == 200)
        #expect(test.provider.ledger.tokensIssued(by: .xAuth) == 1)
    }

    @Test(arguments: [
        "x_auth_mode=client_auth&x_auth_username=ada&x_auth_password=wrong",
        "x_auth_mode=client_auth&x_auth_username=grace&x_auth_password=ada%27s+password",
        "x_auth_mode=client_auth&x_auth_username=nobody&x_auth_password=",
        "x_auth_mode=client_auth&x_auth_username=ada",
        "x_auth_mode=other&x_auth_username=ada&x_auth_password=ada%27s+password",
        "x_auth_username=ada&x_auth_password=ada%27s+password",
    ])
    func `anything else does not`(form: String) throws {
        #expect(try send(form).status == 401)
        #expect(test.provider.ledger.tokensIssued == 0)
    }

    @Test func `it is the application's alone`() throws {
        let form = "x_auth_mode=client_auth&x_auth_username=ada&x_auth_password=ada%27s+password"
        #expect(try send(form, token: TestProvider.userToken).status == 401)
    }
}
