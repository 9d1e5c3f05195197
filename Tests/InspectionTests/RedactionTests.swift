import Testing

@testable import Inspection

@Suite("What is left out of what is shown")
struct RedactionTests {
    @Test(
        "Values of parameters that may be secrets, by their decoded names",
        arguments: [
            ("a=1&oauth_token=abc&b", "a=1&oauth_token=…&b"), ("%74oken=abc", "%74oken=…"),
            ("Password=a=b", "Password=…"),
            ("oauth_consumer_key=ck", "oauth_consumer_key=ck"), ("code=1&country_code=2", "code=…&country_code=2"),
            ("client_secret=", "client_secret=…"), ("", ""), ("&&", "&&"), ("%ff=1", "%ff=1"),
            ("a=1;token=abc;b=2", "a=1;token=…;b=2"), ("a=1#access_token=abc", "a=1#access_token=…"),
        ]
    )
    func queries(query: String, shown: String) {
        #expect(Redaction.query(query) == shown)
        #expect(Redaction.target("/p?\(query)") == "/p?\(shown)")
    }

    @Test(
        "Values of fields that may be secrets; of Authorization all but the scheme, or OAuth's token and signature",
        arguments: [
            ("Authorization", "Bearer abc", "Bearer …"), ("authorization", "abc", "…"), ("Cookie", "a=b", "…"),
            ("Proxy-Authorization", "Basic YTpi", "Basic …"), ("X-Api-Key", "abc", "…"), ("X-My-Token", "abc", "…"),
            ("Accept", "text/html", "text/html"),
            ("Location", "//a.test/b?code=abc&x=1#access_token=abc", "//a.test/b?code=…&x=1#access_token=…"),
            ("Referer", "https://a.test/?sid=abc", "https://a.test/?sid=…"),
            (
                "Authorization",
                #"OAuth oauth_consumer_key="ck", oauth_token="tk",oauth_signature_method="HMAC-SHA1", oauth_signature="s""#,
                #"OAuth oauth_consumer_key="ck", oauth_token="…", oauth_signature_method="HMAC-SHA1", oauth_signature="…""#
            ),
        ]
    )
    func fields(name: String, value: String, shown: String) {
        #expect(Redaction.field(name, value) == shown)
    }
}
