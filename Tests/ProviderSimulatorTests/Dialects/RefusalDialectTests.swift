import OAuthSigning
import ProviderSimulator
import Testing

@Suite struct RefusalDialectTests {
    enum Mistake: CaseIterable {
        case signature, timestamp, token, consumerKey, nonce, unsigned

        func request() throws -> ReceivedRequest {
            switch self {
            case .signature:
                var request = try ReceivedRequest.signed("GET", "/s?a=1")
                request.target = "/s?a=2"
                return request
            case .timestamp: return try .signed(timestamp: 1)
            case .token: return try .signed(token: TokenCredentials(token: "?", secret: Secret("s")))
            case .consumerKey:
                let client = ClientCredentials(identifier: "?", sharedSecret: Secret("s"))
                return try .signed(client: client)
            case .nonce: return try .signed(nonce: "used")
            case .unsigned: return ReceivedRequest(method: "GET", target: "/", authority: "api.test")
            }
        }
    }

    private func answer(_ dialect: RefusalDialect, _ mistake: Mistake) throws -> SimulatedAnswer {
        let test = TestProvider { $0.dialect = dialect }
        #expect(test.send(try .signed(nonce: "used")).status == 200)
        return test.send(try mistake.request())
    }

    @Test(arguments: RefusalDialect.allCases, Mistake.allCases)
    func `every mistake is refused in every dialect, without a secret`(dialect: RefusalDialect, mistake: Mistake) throws
    {
        let answer = try answer(dialect, mistake)
        #expect([400, 401].contains(answer.status))
        #expect(!answer.text.isEmpty)
        #expect(!answer.text.contains("secret"))
    }

    static let baseString = "GET&https%3A%2F%2Fapi.test%2Fs&a%3D2%26oauth_consumer_key%3Dapp%26"

    @Test(
        arguments: [
            (.x, .signature, #"{"errors":[{"code":32,"message":"Could not authenticate you."}]}"#),
            (.xXML, .timestamp, #"<error code="135">Timestamp out of bounds.</error>"#),
            (.xText, .token, "Invalid or expired token."),
            (
                .problemReporting, .timestamp,
                "oauth_problem=timestamp_refused&oauth_acceptable_timestamps=1699999700-1700000300"
            ),
            (.problemReporting, .unsigned, "oauth_problem=parameter_absent"),
            (.magento, .nonce, #"{"code":5,"message":"The nonce is already being used by the consumer with ID 1."}"#),
            (.magento, .signature, #""code":7"#),
            (.mastercard, .signature, #""ReasonCode":"AUTHENTICATION_FAILED""#),
            (.mastercard, .signature, "Acceptable signature base string: \(baseString)"),
            (.mastercard, .unsigned, #"{"Errors":{"Error":[{"Description":"Problem with signature base string."#),
            (.flickr, .signature, "oauth_problem=signature_invalid&debug_sbs=\(baseString)"),
            (.wooCommerce, .consumerKey, #"{"code":"woocommerce_rest_authentication_error","data":{"status":401}"#),
            (.netSuite, .token, #"{"error":{"code":"INVALID_LOGIN_ATTEMPT","message":"Invalid login attempt."}}"#),
        ] as [(RefusalDialect, Mistake, String)]
    )
    func `it has the words that the provider has`(dialect: RefusalDialect, mistake: Mistake, words: String) throws {
        let text = try answer(dialect, mistake).text
        #expect(text.contains(words), "\(text)")
    }

    @Test(
        arguments: [
            (.x, .timestamp, #"OAuth realm="https://api.test", oauth_problem="timestamp_refused", oauth_acceptable"#),
            (.problemReporting, .token, #"OAuth realm="https://api.test", oauth_problem="token_rejected""#),
            (
                .netSuite, .timestamp,
                #"OAuth realm="https://api.test", error="timestamp_refused", error_description="Invalid"#
            ),
        ] as [(RefusalDialect, Mistake, String)]
    )
    func `the challenge says it too`(dialect: RefusalDialect, mistake: Mistake, challenge: String) throws {
        let value = try #require(try answer(dialect, mistake).value(of: "WWW-Authenticate"))
        #expect(value.hasPrefix(challenge), "\(value)")
    }

    @Test func `a realm that is not the provider's is told from no realm`() throws {
        let test = TestProvider {
            $0.realm = "1234567_SB1"
            $0.oauth1.requiresRealm = true
            $0.dialect = .netSuite
        }
        let right = SigningOptions(realm: "1234567_SB1")
        let wrong = SigningOptions(realm: "1234567-sb1")
        #expect(test.send(try .signed(options: right, nonce: "a")).status == 200)
        #expect(test.send(try .signed(options: wrong, nonce: "b")).text.contains("INVALID_LOGIN_ATTEMPT"))
        #expect(test.provider.ledger.refusals(because: "parameter_rejected") == 1)
    }
}
