import Credentials
import OAuthSigning
import Testing

@Suite("The requests that verify a claim")
struct EnrolmentRequestTests {
    @Test("Token credentials are shown by a signed GET of verify_url")
    func signedRequest() throws {
        var check = EnrolmentScene.signed()
        let request = try EnrolmentScene.start(&check)
        #expect(request.method == "GET")
        #expect(request.url == EnrolmentScene.verifyURL)
        #expect(request.destination.authority == "api.provider.example")
        #expect(request.destination.target == "/1.1/account/verify_credentials.json?skip_status=true")
        #expect(request.body.isEmpty)
        #expect(request.fields.map(\.0) == ["Accept", "Authorization"])
        let verified = try verify(request, target: request.destination.target)
        #expect(verified.consumerKey == "app key")
        #expect(verified.token == "7-Token")
        #expect(verified["oauth_nonce"] == "nonce-1")
        #expect(verified["oauth_timestamp"] == "1000")
        #expect(verified.signatureMethod == .hmacSHA1)
    }

    @Test("It is signed as the API's requests are", arguments: [SignatureMethod.hmacSHA256, .plaintext])
    func options(method: SignatureMethod) throws {
        var check = EnrolmentScene.signed(options: SigningOptions(signatureMethod: method, realm: "R1"))
        let request = try EnrolmentScene.start(&check)
        #expect(request.fields.last?.1.hasPrefix("OAuth realm=\"R1\", ") == true)
        #expect(try verify(request, target: request.destination.target).signatureMethod == method)
    }

    @Test("With the placement in the query, the parameters go out there")
    func queryPlacement() throws {
        var check = EnrolmentScene.signed(options: SigningOptions(placement: .query))
        let request = try EnrolmentScene.start(&check)
        #expect(request.fields.map(\.0) == ["Accept"])
        #expect(request.destination.target.contains("skip_status=true&"))
        #expect(request.destination.target.contains("oauth_signature="))
        #expect(try verify(request, target: request.destination.target).token == "7-Token")
    }

    private func verify(_ request: ExchangeRequest, target: String) throws -> VerifiedRequest {
        let authorization = request.fields.first { $0.0 == "Authorization" }.map { Array($0.1.utf8) }
        return try SignatureVerification.verify(
            method: Array("GET".utf8).span,
            scheme: request.destination.scheme,
            authority: Array(request.destination.authority.utf8).span,
            target: Array(target.utf8).span,
            contentType: nil,
            body: nil,
            authorization: authorization?.span,
            clientSecret: { $0 == "app key" ? EnrolmentScene.client.sharedSecret : nil },
            tokenSecret: { $0 == "7-Token" ? Secret("Token:Secret=") : nil }
        ).get()
    }

    @Test("An access token is shown as every request to the API would show it")
    func bearerRequest() throws {
        var check = EnrolmentScene.bearer()
        let request = try EnrolmentScene.start(&check)
        #expect(request.method == "GET")
        #expect(request.fields.map(\.1) == ["application/json", "Bearer Access-Token-9"])

        let template = try #require(HeaderTemplate("Token token=\"{token}\""))
        let settings = OAuth2Settings(
            tokenURL: "https://p.example/token",
            clientID: "c",
            clientSecret: Secret("s"),
            header: template
        )
        var other = EnrolmentScene.bearer(scheme: .oauth2(settings))
        #expect(try EnrolmentScene.start(&other).fields.last?.1 == "Token token=\"Access-Token-9\"")
    }

    @Test(
        "A passcode that is no pair of token and secret is refused without asking",
        arguments: ["", ":", "token", "token:", ":secret"]
    )
    func malformedPair(passcode: String) {
        var check = EnrolmentScene.signed(passcode: passcode)
        let refusal = check.start(nonce: "n", timestamp: 1).refusal
        #expect(refusal?.contains("oauth_token:oauth_token_secret") == true)
    }

    @Test(
        "A passcode that no field can carry is refused without asking",
        arguments: ["a b", "a\r\nX: y", "tökén", ""]
    )
    func malformedToken(passcode: String) {
        var check = EnrolmentScene.bearer(passcode: passcode)
        #expect(check.start(nonce: "n", timestamp: 1).refusal?.hasPrefix("passcode is no access token") == true)
    }

    @Test(
        "A passkey that cannot name an account is refused without asking",
        arguments: [
            "", " 7", "7 ", "\u{A0}7", "a:b", "a\nb", "a\u{7F}", "a\u{85}b", String(repeating: "x", count: 129),
            String(repeating: "ä", count: 65), "default",
        ]
    )
    func unusableName(passkey: String) {
        var check = EnrolmentScene.signed(passkey: passkey)
        #expect(check.start(nonce: "n", timestamp: 1).refusal?.hasPrefix("passkey cannot ") == true)
    }

    @Test(
        "Other passkeys are asked about",
        arguments: ["a", "a b", "Default", "ä+%/@", String(repeating: "x", count: 128)]
    )
    func usableName(passkey: String) {
        var check = EnrolmentScene.signed(passkey: passkey)
        #expect(throws: Never.self) { try EnrolmentScene.start(&check) }
    }

    @Test("What cannot be verified as it is configured says which setting is to blame")
    func misconfigured() {
        var checks = [
            EnrolmentScene.signed(target: EnrolmentScene.target(nil)),
            EnrolmentScene.signed(target: EnrolmentScene.target("ftp://p.example/")),
            EnrolmentScene.signed(options: SigningOptions(placement: .body)),
            EnrolmentCheck(
                claim: EnrolmentClaim(accessType: .oauth1, passkey: "7", passcode: Secret("a:b")),
                target: EnrolmentScene.target(),
                scheme: .bearer(.bearer)
            ),
        ]
        for index in checks.indices {
            let detail = checks[index].start(nonce: "n", timestamp: 1).unavailability
            #expect(detail?.contains("enrolment.access_types.2 ") == true)
        }
    }
}
