import Testing

@testable import ForwardProxy

@Suite("What a 401 says of the token")
struct TokenRefusalTests {
    @Test(
        "It is the token that is refused",
        arguments: [
            ("OAuth oauth_problem=token_expired", ""), ("OAuth oauth_problem=\"token_revoked\"", ""),
            ("", "oauth_problem=token_rejected"), ("", "oauth_problem=token_used"),
            ("", #"{"errors":[{"code":89,"message":"no"}]}"#), ("", #"{"errors":[{"code": 89}]}"#),
            ("", #"{"errors":[{"code" : 89 }]}"#), ("", #"{"errors":[{"code":32},{"code":89}]}"#),
            ("", #"<error code="89">no</error>"#), ("", "Invalid or expired token."),
            ("", "Invalid / expired Token"),
        ]
    )
    func isToken(challenge: String, body: String) {
        #expect(TokenRefusal.isTokenProblem(challenge: challenge, body: body))
    }

    @Test(
        "It is something else",
        arguments: [
            ("", ""), ("OAuth realm=\"api\"", ""), ("OAuth oauth_problem=signature_invalid", ""),
            ("", "oauth_problem=timestamp_refused"), ("", "oauth_problem=nonce_used"),
            ("", #"{"errors":[{"code":32,"message":"Could not authenticate you."}]}"#), ("", #"{"code":890}"#),
            ("", #"{"code":189}"#), ("", #"{"code":8,"x":9}"#), ("", #"{"barcode":89}"#), ("", #"{"code":"#),
            ("", #""code""#), ("", #"<error code="8">89</error>"#),
        ]
    )
    func isNotToken(challenge: String, body: String) {
        #expect(!TokenRefusal.isTokenProblem(challenge: challenge, body: body))
    }
}
