import Testing

@testable import Inspection

@Suite("Redaction")
struct RedactionTests {
    @Test(
        "A body that is no form is no name that is shown",
        arguments: [#"{"user":"bob","password":"abc"}"#, "password:abc", "token=abc"]
    )
    func leavesOutNames(name: String) {
        #expect(Redaction.name(name) == "…" && Redaction.name("user[name]") == "user[name]")
    }

    @Test(
        "Values of parameters that may be secrets, by their decoded names",
        arguments: [
            (
                "sess=1&creds=2&csrf=3&xsrf=4&refresh=5&%2574oken=6",
                "sess=…&creds=…&csrf=…&xsrf=…&refresh=…&%2574oken=…"
            ),
            ("a=1&oauth_token=abc&b", "a=1&oauth_token=…&b"), ("%74oken=abc", "%74oken=…"),
            ("Password=a=b", "Password=…"),
            ("oauth_consumer_key=ck", "oauth_consumer_key=ck"), ("code=1&country_code=2", "code=…&country_code=2"),
            ("client_secret=", "client_secret=…"), ("", ""), ("&&", "&&"), ("%ff=1", "%ff=1"),
            ("a=1;token=abc;b=2", "a=1;token=…;b=2"), ("a=1#access_token=abc", "a=1#access_token=…"),
            ("pw=1&passphrase=2&user[pass]=3&userPass=4", "pw=…&passphrase=…&user[pass]=…&userPass=…"),
            ("SAMLResponse=1&ticket=2&otp_code=3&PHPSESSID=4", "SAMLResponse=…&ticket=…&otp_code=…&PHPSESSID=…"),
            ("device_code=1&app_key=2&subscription-key=3", "device_code=…&app_key=…&subscription-key=…"),
            (
                "authkey=1&appkey=2&skey=3&subscriptionkey=4&licensekey=5",
                "authkey=…&appkey=…&skey=…&subscriptionkey=…&licensekey=…"
            ),
            (
                "bearer=1&psw=2&otpcode=3&pincode=4&mfacode=5&id_hint=6",
                "bearer=…&psw=…&otpcode=…&pincode=…&mfacode=…&id_hint=…"
            ),
            ("accesscode=1&zip_code=2&statusCode=3&error_code=4", "accesscode=…&zip_code=2&statusCode=3&error_code=4"),
            ("postal_code=1&language_code=2&currency_code=3", "postal_code=1&language_code=2&currency_code=3"),
            ("code_challenge=1&code_challenge_method=2", "code_challenge=1&code_challenge_method=2"),
            ("keyword=1&passenger=2&pinned=3&author=4", "keyword=1&passenger=2&pinned=3&author=4"),
            ("redirect=https%3A%2F%2Fa.test%2F%3Faccess_token%3Dabc", "redirect=…"),
            ("redirect=https%3A%2F%2Fa.test%2F%3Fx%3D1", "redirect=https%3A%2F%2Fa.test%2F%3Fx%3D1"),
            ("next=https://u:abc@a.test/", "next=…"), ("mail=a@b.test", "mail=a@b.test"),
            ("a=b%253Dtoken%25253Dabc", "a=…"), ("state=sid%3Dabc%26x%3D1", "state=…"),
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
            ("Referer", "https://u:abc@a.test/b@c", "https://…@a.test/b@c"),
            ("X-Original-URL", "/a?access_token=abc", "/a?access_token=…"), ("X-Auth-Key", "abc", "…"),
            ("Ocp-Apim-Subscription-Key", "abc", "…"), ("OK-ACCESS-PASSPHRASE", "abc", "…"), ("DPoP", "abc", "…"),
            ("X-Forwarded-Authorization", "Bearer abc", "Bearer …"), ("Authentication", "abc", "…"),
            ("Sec-WebSocket-Protocol", "chat, abc", "…"), ("Idempotency-Key", "7", "7"),
            ("Accept", "text/html;q=0.9, */*", "text/html;q=0.9, */*"),
            ("Authorization", "OAuth abc", "OAuth …"), ("Authorization", #"OAuth a="abc""#, "OAuth …"),
            ("Authorization", #"OAuth oauth_nonce="n", oauth_token="a,abc", foo="abc""#, "OAuth …"),
            (
                "Authorization", #"OAuth oauth_nonce="n", oauth_token="a,abc""#,
                #"OAuth oauth_nonce="n", oauth_token="…""#
            ),
            ("Authorization", #"OAuth oauth_nonce="n" abc"#, "OAuth …"), ("Authorization", "OAuth ", "OAuth …"),
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

    @Test(
        "Values that have a secret in a form of their own",
        arguments: [
            #"variables={"password":"abc;d"}&x=1"#, #"filter={"where":{"apikey":"abc"}}"#,
            "payload=%7B%22token%22%3A%22abc%22%7D", "next=https%253A%252F%252Fx%253Faccess_token%253Dabc",
            "access_token%3Dabc", "a=password:abc", "h=Authorization: Bearer abc", "a=<password>abc</password>",
            "a=Bearer%20abc", "a=basic+abc", "a=eyJhbGciOiJI.abc.abc", "eyJhbGciOiJI.abc", "a=%25252525253Dabc",
            #"a={\"pin\":\"abc\"}"#,
        ]
    )
    func forms(query: String) {
        #expect(!Redaction.query(query).contains("abc"), "\(Redaction.query(query))")
        #expect(!Redaction.target("https://a.test/p?\(query)").contains("abc"))
        #expect(!Redaction.field("X-Config", query).contains("abc"), "\(Redaction.field("X-Config", query))")
        var found = SecretValues()
        found.add(target: "/p?\(query)")
        #expect(!found.values.union(found.words).isEmpty || !found.isWhole)
    }

    @Test(
        "What has none is shown",
        arguments: [
            "q=a:b", "time=12:30:00", "q={\"name\":\"harmless\"}", "filter=<a>b</a>",
            "next=https%3A%2F%2Fa.test%3A8443%2Fb",
            "fields=id,name", "q=eyJ.a",
        ]
    )
    func harmless(query: String) {
        #expect(Redaction.query(query) == query)
        #expect(Redaction.field("X-Config", query) == query)
    }

    @Test(
        "Values of parameters in a path that may be secrets",
        arguments: [
            ("/a;jsessionid=abc/b", "/a;jsessionid=…/b"),
            ("/o7/access_token=abc;token=abc;x=1", "/o7/access_token=…;token=…;x=1"),
            ("/a=b/c", "/a=b/c"), ("", ""), ("//", "//"), ("/token/ABC1/x", "/token/…/x"),
            ("/bot12:abc/getMe", "/…/getMe"), ("/oauth/token/revoke", "/oauth/token/revoke"),
            ("/token/abcdefghi_jkl.mno-pq", "/token/…"), ("/token/abcdefghi_jkl.mno-p", "/token/abcdefghi_jkl.mno-p"),
            ("/token/abcdef/ABC1", "/token/abcdef/ABC1"), ("/token//ABC1", "/token//…"),
            ("/token/v1/ABC1", "/token/v1/…"),
            ("/token%2FABC1/x", "/…/x"), ("/a%252Ftoken%252FABC1", "/…"), ("/%2574oken/ABC1", "/%2574oken/…"),
            ("/a%2Fb/ABC1", "/a%2Fb/ABC1"),
            ("/token/v12", "/token/v12"), ("/token/1.1", "/token/1.1"), ("/pin/123", "/pin/123"),
            ("/pin/1234", "/pin/…"),
            ("/token/a1", "/token/…"), ("/token/%61bc", "/token/…"), ("/token;v=1/ABC1;b", "/token;v=1/…;b"),
            ("/auth/v1/users", "/auth/v1/users"), ("/eyJhbGciOiJI.abc.abc/x", "/…/x"),
            ("https://token.test:8443/a", "https://token.test:8443/a"), ("token.test:443", "token.test:443"),
        ]
    )
    func paths(path: String, shown: String) {
        if !path.hasPrefix("https:") { #expect(Redaction.path(path) == shown) }
        #expect(Redaction.target(path) == shown)
    }

    private func isPlain(_ path: String) -> Bool { Redaction.isPlain(path: path.utf8Span.span) }

    @Test(
        "A path is told to be plain only if nothing of it is left out",
        arguments: [
            "token", "Access_Token", "apikey", "api.key", "k_e_y", "pw", "dbpw", "Pw1", "totp", "id_hint", "sessid",
            "security-code", "zip_code", "sec-websocket-protocol", "users", "1.1", "v2", "statuses", "eyJhbGciOiJI",
            "eyjay", String(repeating: "a", count: 257), "",
        ]
    )
    func plainPaths(segment: String) {
        let following = ["", "/a", "/ABC1", "/12345678", "/a-b.c_d", "/abcdefghijklmnopqrstuvwxyz", ".abc", "=1", ":1"]
        for path in following.flatMap({ ["/\(segment)\($0)", "/x/\(segment)\($0)/y", "/\(segment)\($0)/12345678"] }) {
            if isPlain(path) { #expect(Redaction.path(path) == path) }
        }
    }

    @Test(
        "A usual path is told to be plain",
        arguments: [
            "/", "/1.1/statuses/home_timeline.json", "/2/users/2244994945/tweets",
            "/statuses/show/210462857140252672.json",
            "/rest/v1.0/companies/ABCD-1234/projects", "/token/revoke",
        ]
    )
    func usualPaths(path: String) {
        #expect(isPlain(path))
    }

    @Test("What ends like a host is none when it has a quotation mark")
    func noAuthority() {
        #expect(!Redaction.query(#"a=b#i.."access_token":"hidden":"#).contains("hidden"))
    }
}
