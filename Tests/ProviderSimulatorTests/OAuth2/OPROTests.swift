import ProviderSimulator
import Testing

@Suite struct OPROTests {
    private let scene = PasswordGrantScene(PasswordGrantScene.oPRO)
    private let login = "\(PasswordGrantScene.client)&\(PasswordGrantScene.user)"

    @Test func `a password leads to an access token of its own scheme`() throws {
        let tokens = try scene.tokens(login)
        #expect(tokens.expires_in == 3600)
        #expect(scene.use("Token token=\"\(tokens.access_token)\"") == 200)
        #expect(scene.use("Bearer \(tokens.access_token)") == 401)
        #expect(scene.use("Token \(tokens.access_token)") == 401)
        #expect(scene.ledger.tokensIssued(by: .password) == 1)
    }

    @Test func `a refresh needs no grant_type, and ends what was before`() throws {
        let first = try scene.tokens(login)
        let refreshToken = try #require(first.refresh_token)
        let second = try scene.tokens("\(PasswordGrantScene.client)&refresh_token=\(refreshToken)")
        #expect(second.access_token != first.access_token)
        #expect(scene.use("Token token=\"\(first.access_token)\"") == 401)
        #expect(scene.use("Token token=\"\(second.access_token)\"") == 200)
        #expect(scene.post("\(PasswordGrantScene.client)&refresh_token=\(refreshToken)").status == 401)
        #expect(scene.ledger.tokensIssued(by: .refresh) == 1)
    }

    @Test func `a user has one grant`() throws {
        let first = try scene.tokens(login)
        let second = try scene.tokens(login)
        #expect(scene.use("Token token=\"\(first.access_token)\"") == 401)
        #expect(scene.use("Token token=\"\(second.access_token)\"") == 200)
    }

    @Test func `its refusal repeats the client's secret`() {
        let answer = scene.post("client_id=id&client_secret=not+the+one&\(PasswordGrantScene.user)")
        #expect(answer.status == 401)
        #expect(answer.text.contains("client_id=id and client_secret=not the one using username and password"))
    }

    @Test(arguments: ["username=grace&password=no", "username=no&password=compiler", "refresh_token=no", ""])
    func `nothing else leads to a token`(form: String) {
        #expect(scene.post("\(PasswordGrantScene.client)&\(form)").status == 401)
        #expect(scene.ledger.tokensIssued == 0)
    }
}
