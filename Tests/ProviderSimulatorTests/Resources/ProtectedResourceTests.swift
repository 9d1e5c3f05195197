import FoundationEssentials
import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct ProtectedResourceTests {
    /// The answer of a protected resource, as a client decodes it.
    private struct Report: Decodable {
        struct User: Decodable, Equatable {
            let id: String
            let screen_name: String
        }
        let verified: Bool
        let consumer_key: String
        let token: String?
        let user: User?
        let method: String
        let url: String
        let parameters: [String]
        let body_bytes: Int
    }

    private let test = TestProvider()

    private func report(_ request: ReceivedRequest) throws -> Report {
        let answer = test.send(request)
        try #require(answer.status == 200, "\(answer.text)")
        return try JSONDecoder().decode(Report.self, from: Data(answer.body))
    }

    @Test func `it tells what was verified`() throws {
        let report = try report(
            .signed(
                "POST",
                "/a%2Fb?q=caf%C3%A9&q=&empty&x=1+2",
                contentType: ReceivedRequest.form,
                body: "status=100%25+sure"
            )
        )
        #expect(report.verified)
        #expect(report.consumer_key == "app")
        #expect(report.token == "user-token")
        #expect(report.user == .init(id: "12", screen_name: "grace"))
        #expect(report.method == "POST")
        #expect(report.url == "https://api.test/a%2Fb?q=caf%C3%A9&q=&empty&x=1+2")
        #expect(report.parameters == ["q=café", "q=", "empty=", "x=1 2", "status=100% sure"])
        #expect(report.body_bytes == 18)
    }

    @Test func `a request without a token has no user`() throws {
        let report = try report(.signed(token: nil))
        #expect(report.token == nil)
        #expect(report.user == nil)
    }

    @Test(arguments: [SignatureMethod.hmacSHA1, .hmacSHA256, .hmacSHA512, .plaintext], ParameterPlacement.allCases)
    func `every placement is verified`(method: SignatureMethod, placement: ParameterPlacement) throws {
        let options = SigningOptions(signatureMethod: method, placement: placement)
        let request = try ReceivedRequest.signed(
            "POST",
            "/1.1/update.json",
            contentType: ReceivedRequest.form,
            body: "a=1",
            options: options
        )
        #expect(try report(request).token == "user-token")
    }

    @Test func `the ledger has the base string and the bytes that came`() throws {
        _ = test.send(try .signed("GET", "/s?b=%7e&a=1"))
        let event = try #require(test.provider.ledger.events.first)
        #expect(event.request.target == "/s?b=%7e&a=1")
        let verified = try #require(event.verified)
        let expected = "GET&https%3A%2F%2Fapi.test%2Fs&a%3D1%26b%3D~%26oauth_consumer_key%3Dapp%26"
        #expect(verified.baseString.hasPrefix(expected))
        guard case .resourceServed(_, let user) = event.outcome else {
            Issue.record("another outcome")
            return
        }
        #expect(user?.id == "12")
    }
}
