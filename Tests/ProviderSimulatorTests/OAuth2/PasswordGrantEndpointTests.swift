import ProviderSimulator
import Testing

@Suite struct PasswordGrantEndpointTests {
    private static let client = PasswordGrantScene.client
    private static let login = "grant_type=password&\(client)&\(PasswordGrantScene.user)"

    private let scene = PasswordGrantScene(PasswordGrantScene.rfc6749)

    private func refresh(_ token: String?) throws -> String {
        "grant_type=refresh_token&\(Self.client)&refresh_token=\(try #require(token))"
    }

    @Test func `a password leads to a bearer token that ends in time`() throws {
        let tokens = try scene.tokens(Self.login)
        #expect(tokens.token_type == "bearer")
        #expect(scene.post(Self.login).value(of: "Cache-Control") == "no-store")
        #expect(scene.use("Bearer \(tokens.access_token)", at: TestProvider.now + 3599) == 200)
        #expect(scene.use("Bearer \(tokens.access_token)", at: TestProvider.now + 3600) == 401)
    }

    @Test func `the client may authenticate by Basic`() {
        // `id` and the form-encoded `the client's secret`.
        let basic = "Basic aWQ6dGhlK2NsaWVudCUyN3Mrc2VjcmV0"
        let form = "grant_type=password&\(PasswordGrantScene.user)"
        #expect(scene.post(form, authorization: basic).status == 200)
        #expect(scene.post(Self.login, authorization: basic).text.contains("invalid_request"))
        let wrong = scene.post(form, authorization: "Basic aWQ6bm8=")
        #expect(wrong.status == 401)
        #expect(wrong.value(of: "WWW-Authenticate") == "Basic realm=\"members\"")
        let bodyOnly = PasswordGrantScene(PasswordGrantScene.rfc6749) { $0.clientAuthentication = .body }
        #expect(bodyOnly.post(form, authorization: basic).status == 401)
        let basicOnly = PasswordGrantScene(PasswordGrantScene.rfc6749) { $0.clientAuthentication = .basic }
        #expect(basicOnly.post(Self.login).status == 401)
        #expect(basicOnly.post(form, authorization: basic).status == 200)
    }

    @Test func `a refresh token is good once, and its reuse ends all that came of it`() throws {
        let first = try scene.tokens(Self.login)
        let other = try scene.tokens(Self.login)
        let second = try scene.tokens(try refresh(first.refresh_token))
        #expect(scene.use("Bearer \(first.access_token)") == 200)
        #expect(scene.post(try refresh(first.refresh_token)).text.contains("\"invalid_grant\""))
        #expect(scene.use("Bearer \(first.access_token)") == 401)
        #expect(scene.use("Bearer \(second.access_token)") == 401)
        #expect(scene.post(try refresh(second.refresh_token)).status == 400)
        #expect(scene.use("Bearer \(other.access_token)") == 200)
    }

    @Test func `a refresh token that is not rotated stays good`() throws {
        let scene = PasswordGrantScene(PasswordGrantScene.rfc6749) { $0.rotatesRefreshTokens = false }
        let first = try scene.tokens(Self.login)
        let second = try scene.tokens(try refresh(first.refresh_token))
        #expect(second.refresh_token == nil)
        #expect(try scene.tokens(try refresh(first.refresh_token)).access_token != second.access_token)
    }

    @Test(arguments: [
        ("\(client)&\(PasswordGrantScene.user)", 400, "invalid_request"),
        ("grant_type=password&\(client)&username=grace", 400, "invalid_request"),
        ("\(login)&scope=a&scope=b", 400, "invalid_request"),
        ("grant_type=refresh_token&\(client)", 400, "invalid_request"),
        ("grant_type=authorization_code&\(client)", 400, "unsupported_grant_type"),
        ("grant_type=password&\(client)&username=grace&password=no", 400, "invalid_grant"),
        ("grant_type=refresh_token&\(client)&refresh_token=no", 400, "invalid_grant"),
        ("grant_type=password&client_id=id&client_secret=no&\(PasswordGrantScene.user)", 401, "invalid_client"),
        ("grant_type=password&\(PasswordGrantScene.user)", 401, "invalid_client"),
    ])
    func `a refusal has the RFC's error`(form: String, status: Int, error: String) {
        let answer = scene.post(form)
        #expect(answer.status == status)
        #expect(answer.text.contains("{\"error\":\"\(error)\",\"error_description\":\""), "\(answer.text)")
        #expect(!answer.text.contains("the client's secret"))
        #expect(scene.ledger.refusals(because: error) == 1)
    }

    @Test func `parameters do not come in the query`() {
        #expect(scene.post(Self.login, query: "?a=1").status == 400)
    }

    @Test func `tokens end when they are told to`() throws {
        let first = try scene.tokens(Self.login)
        let second = try scene.tokens(Self.login)
        scene.test.provider.expire(token: first.access_token)
        #expect(scene.use("Bearer \(first.access_token)") == 401)
        #expect(scene.use("Bearer \(second.access_token)") == 200)
        scene.test.provider.revoke(token: try #require(first.refresh_token))
        #expect(scene.post(try refresh(first.refresh_token)).status == 400)
        #expect(scene.post(try refresh(second.refresh_token)).status == 200)
        scene.test.provider.expireAccessTokens()
        #expect(scene.use("Bearer \(second.access_token)") == 401)
        let third = try scene.tokens(Self.login)
        scene.test.provider.revokeRefreshTokens()
        #expect(scene.post(try refresh(third.refresh_token)).status == 400)
        #expect(scene.use("Bearer \(third.access_token)") == 200)
    }

    @Test func `a provider without the grant refuses it`() {
        let scene = PasswordGrantScene(TestProvider.settings)
        #expect(scene.post(Self.login).text.contains("unsupported_grant_type"))
    }
}
