import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct TokenLifeTests {
    private let test = TestProvider()

    @Test func `an expired token and a revoked one are told apart`() throws {
        test.provider.expire(token: "user-token")
        #expect(test.send(try .signed(nonce: "a")).value(of: "WWW-Authenticate")?.contains("token_expired") == true)
        test.provider.revoke(token: "user-token")
        #expect(test.send(try .signed(nonce: "b")).value(of: "WWW-Authenticate")?.contains("token_revoked") == true)
        #expect(test.provider.ledger.refusals(because: "token_expired") == 1)
        #expect(test.provider.ledger.refusals(because: "token_revoked") == 1)
    }

    @Test func `whose token it is`() throws {
        let target = "/1.1/account/verify_credentials.json?skip_status=1"
        let answer = test.send(try .signed("GET", target))
        #expect(answer.text == #"{"id":12,"id_str":"12","name":"grace","screen_name":"grace"}"#)
        #expect(test.provider.ledger.requests(for: .identity) == 1)
        #expect(test.provider.ledger.requests(for: .resource) == 0)
    }
}
