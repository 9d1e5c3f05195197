import Testing

@testable import paraph

@Suite("A URL as it is shown")
struct ShownURLTests {
    @Test(
        "has no password, and all else",
        arguments: [
            ("https://api.test/a?b=c@d:e", "https://api.test/a?b=c@d:e", "https://api.test/a?b=c@d:e"),
            ("https://bob:hidden@api.test/a", "https://bob:…@api.test/a", "https://api.test/a"),
            ("https://bob:hid:d@en@api.test:8443?x", "https://bob:…@api.test:8443?x", "https://api.test:8443?x"),
            ("https://bob@api.test", "https://bob@api.test", "https://api.test"),
            ("https://:hidden@api.test#@", "https://:…@api.test#@", "https://api.test#@"),
            ("bob:hidden@api.test/", "bob:…@api.test/", "api.test/"),
            ("/a@b:c", "/a@b:c", "/a@b:c"), ("", "", ""), ("@", "@", ""),
        ]
    )
    func shown(url: String, text: String, bare: String) {
        #expect(ShownURL(url).text == text)
        #expect(ShownURL(url).bare == bare)
    }
}
