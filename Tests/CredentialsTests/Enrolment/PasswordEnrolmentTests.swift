import Credentials
import OAuthSigning
import Testing

@Suite("Claims with a user name and a password")
struct PasswordEnrolmentTests {
    private static let settings = OAuth2Settings(
        tokenURL: "https://members.example/oauth/token.json",
        clientID: "client",
        clientSecret: Secret("Client-Secret-1"),
        header: HeaderTemplate("Token token=\"{token}\"") ?? .bearer,
        sendsGrantType: false
    )
    private static let verifyURL = "https://members.example/me"
    private static let token = #"{"access_token":"Access-1","refresh_token":"Refresh-1","expires_in":3600,"scope":"y"}"#

    private static func check(verifyURL: String? = nil, passkey: String = "ann", tokenURL: String? = nil)
        -> EnrolmentCheck
    {
        var settings = settings
        if let tokenURL { settings.tokenURL = tokenURL }
        return EnrolmentCheck(
            claim: EnrolmentClaim(accessType: .password, passkey: passkey, passcode: Secret("Pass+Word&1")),
            target: EnrolmentSettings.Target(api: 0, verifyURL: verifyURL),
            scheme: .oauth2(settings)
        )
    }

    private static func receive(
        _ check: inout EnrolmentCheck,
        _ status: Int,
        _ body: String
    ) -> ExchangeProgress<EnrolmentOutcome> {
        check.receive(
            ExchangeResponse(status: status, body: Array(body.utf8)),
            nonce: "nonce-2",
            timestamp: 2_000
        )
    }

    @Test("The password grant is the proof where nothing else is configured")
    func grant() throws {
        var check = Self.check()
        let request = try EnrolmentScene.start(&check)
        #expect(request.method == "POST")
        #expect(request.url == Self.settings.tokenURL)
        #expect(String(decoding: request.body, as: UTF8.self).contains("username=ann&password=Pass%2BWord%261"))
        let credential = try #require(Self.receive(&check, 200, Self.token).verified)
        #expect(
            credential.token
                == .access(AccessToken(Secret("Access-1"), expiresAt: 5_600, refreshToken: Secret("Refresh-1")))
        )
        #expect(credential.origin == .enrolment)
        #expect(credential.login == PasswordCredentials(username: "ann", password: Secret("Pass+Word&1")))
        #expect(credential.obtainedAt == 2_000)
        #expect(credential.attributes == ["scope": "y"])
    }

    @Test("Where verify_url is configured, the granted token's id must be the passkey", arguments: ["ann", "bob"])
    func verification(id: String) throws {
        var check = Self.check(verifyURL: Self.verifyURL)
        _ = try EnrolmentScene.start(&check)
        guard case .send(let request) = Self.receive(&check, 200, Self.token) else {
            Issue.record("verify_url is not asked")
            return
        }
        #expect(request.method == "GET")
        #expect(request.url == Self.verifyURL)
        #expect(request.fields.last?.1 == "Token token=\"Access-1\"")
        let outcome = Self.receive(&check, 200, "{\"id\":\"\(id)\"}")
        if id == "ann" {
            #expect(outcome.verified?.login?.username == "ann")
            #expect(outcome.verified?.attributes == ["id": "ann", "scope": "y"])
            #expect(outcome.verified?.origin == .enrolment)
        } else {
            #expect(outcome.refusal?.contains("another account") == true)
        }
    }

    @Test(
        "A password that the provider refuses is no proof",
        arguments: [
            (400, #"{"error":"invalid_grant"}"#), (401, #"{"error":"invalid_grant","error_description":"no"}"#),
            (401, ""), (403, "no"), (422, #"{"message":"wrong email or password"}"#), (401, #"{"message":"no"}"#),
        ]
    )
    func refused(status: Int, body: String) throws {
        var check = Self.check()
        _ = try EnrolmentScene.start(&check)
        let detail = Self.receive(&check, status, body).refusal
        #expect(
            detail?.hasPrefix("The provider does not accept passkey and passcode (password grant: status \(status)).")
                == true
        )
    }

    @Test(
        "A provider that does not look at the password says nothing of it",
        arguments: [
            (401, #"{"error":"invalid_client"}"#), (400, #"{"error":"unauthorized_client"}"#),
            (400, #"{"error":"unsupported_grant_type"}"#), (400, #"{"error":"invalid_scope"}"#), (302, ""), (404, ""),
            (429, ""), (500, ""), (503, "down"), (200, ""), (200, "<html>"), (200, "{}"),
            (200, #"{"access_token":""}"#),
        ]
    )
    func unavailable(status: Int, body: String) throws {
        var check = Self.check(verifyURL: Self.verifyURL)
        _ = try EnrolmentScene.start(&check)
        let detail = Self.receive(&check, status, body).unavailability
        #expect(detail?.contains("password grant") == true)
        #expect(detail?.contains("\(status)") == true)
    }

    @Test("No secret that a provider echoes is repeated, at either step", arguments: [401, 503])
    func echoes(status: Int) throws {
        for echo in ["Pass+Word&1", "Pass%2BWord%261", "Client-Secret-1"] {
            var check = Self.check(verifyURL: Self.verifyURL)
            _ = try EnrolmentScene.start(&check)
            let outcome = Self.receive(&check, status, "was \(echo)")
            #expect((outcome.refusal ?? outcome.unavailability)?.hasSuffix("It said: was <secret>") == true)
        }
        for echo in ["Pass+Word&1", "Client-Secret-1", "Access-1", "Refresh-1"] {
            var check = Self.check(verifyURL: Self.verifyURL)
            _ = try EnrolmentScene.start(&check)
            _ = Self.receive(&check, 200, Self.token)
            let outcome = Self.receive(&check, status, "was \(echo)")
            #expect((outcome.refusal ?? outcome.unavailability)?.hasSuffix("It said: was <secret>") == true)
        }
    }

    @Test("What cannot be asked is not asked")
    func misconfigured() {
        var noURL = Self.check(tokenURL: "nowhere")
        #expect(noURL.start(nonce: "n", timestamp: 1).unavailability?.contains("password grant") == true)
        var noName = Self.check(passkey: "a:b")
        #expect(noName.start(nonce: "n", timestamp: 1).refusal != nil)
        var otherScheme = EnrolmentCheck(
            claim: EnrolmentClaim(accessType: .password, passkey: "ann", passcode: Secret("p")),
            target: EnrolmentSettings.Target(api: 0),
            scheme: .bearer(.bearer)
        )
        let detail = otherScheme.start(nonce: "n", timestamp: 1).unavailability
        #expect(detail?.contains("enrolment.access_types.0 ") == true)
    }
}
