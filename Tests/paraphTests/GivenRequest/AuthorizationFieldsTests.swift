import Testing

@testable import paraph

@Suite("The Authorization fields of a request")
struct AuthorizationFieldsTests {
    private static let signature = #"OAuth oauth_consumer_key="k", oauth_signature="s""#

    private func fields(
        _ values: [String],
        target: String = "https://api.example.com/r",
        body: String? = nil
    ) -> AuthorizationFields {
        var request = GivenRequest(method: "GET", target: target)
        request.fields = values.map { RequestField(name: "authorization", value: $0) }
        if let body {
            request.fields.append(RequestField(name: "Content-Type", value: "application/x-www-form-urlencoded"))
            request.body = Array(body.utf8)
        }
        return AuthorizationFields(of: request)
    }

    @Test("that signs is the one of OAuth 1.0, wherever it stands")
    func signing() {
        #expect(fields([]).signing == nil)
        #expect(fields(["Basic QTpi"]).signing == "Basic QTpi")
        #expect(fields(["Basic QTpi", " " + Self.signature]).signing == Self.signature)
    }

    @Test("are nothing to speak of when there is one that signs, or none")
    func nothing() {
        #expect(fields([Self.signature]).remarks(isSigned: true).isEmpty)
        let query = fields([Self.signature], target: "https://a.example/?b=oauth_consumer_key")
        #expect(query.remarks(isSigned: true).isEmpty)
        #expect(fields([]).remarks(isSigned: false).isEmpty)
        // Where the signature is in the query, a password before the API is right.
        #expect(fields(["Basic QTpi"]).remarks(isSigned: true).isEmpty)
    }

    @Test(
        "are told where they cannot be right, and their values are not",
        arguments: [
            ([signature, "Basic c2VjcmV0"], "has 2 Authorization fields (OAuth, Basic)"),
            (["c2VjcmV0", signature], "has 2 Authorization fields (no scheme, OAuth)"),
            (["Bearer c2VjcmV0"], "is of the scheme Bearer, and not of the scheme OAuth"),
            (["c2VjcmV0"], "field is not of the scheme OAuth"),
            (["OAuth2 c2VjcmV0"], "field is not of the scheme OAuth"),
            ([#"oauth_consumer_key="c2VjcmV0", oauth_signature="s""#], "no scheme: write OAuth before them"),
        ]
    )
    func odd(values: [String], words: String) {
        let remarks = fields(values).remarks(isSigned: false)
        #expect(remarks.count == 1 && remarks[0].contains(words))
        #expect(!remarks[0].contains("c2VjcmV0"))
    }

    @Test("whose parameters stand elsewhere too are told with the place")
    func twice() {
        let query = fields([Self.signature], target: "https://api.example.com/r?a=1&oauth_consumer_key=k")
        #expect(query.remarks(isSigned: true).first?.contains("and in the query too") == true)
        let form = fields([Self.signature], body: "oauth_consumer_key=k&a=1")
        #expect(form.remarks(isSigned: true).first?.contains("and in the form too") == true)
    }

    @Test(
        "A body of JSON that goes out as a form is told",
        arguments: [(#" {"a": 1}"#, true), ("a={}", false), ("{a", false)]
    )
    func body(body: String, isTold: Bool) {
        var request = GivenRequest(method: "POST", target: "https://api.example.com/r")
        request.fields = [RequestField(name: "Content-Type", value: "application/x-www-form-urlencoded")]
        request.body = Array(body.utf8)
        #expect((request.bodyRemark != nil) == isTold)
        request.fields = [RequestField(name: "Content-Type", value: "application/json")]
        #expect(request.bodyRemark == nil)
    }
}
