import Bytes
import Testing

@Suite struct URIBeginningTests {
    private func beginning(
        _ text: String,
        base: URIScheme? = nil,
        webSockets: Bool = false
    ) -> (scheme: URIScheme, authority: String)? {
        let bytes = Array(text.utf8)
        guard let beginning = URIBeginning(of: bytes.span, base: base, webSockets: webSockets) else { return nil }
        return (beginning.scheme, String(decoding: bytes[beginning.authority], as: UTF8.self))
    }

    @Test(
        arguments: [
            ("http://a", .http, "a"), ("https://a", .https, "a"), ("HTTP://A:80/", .http, "A:80"),
            ("hTTpS://u@[::1]:443/b?c", .https, "u@[::1]:443"), ("http://a?b/c", .http, "a"),
            ("http://a#b/c", .http, "a"),
            ("http://a\\b", .http, "a\\b"), ("http://", .http, ""), ("https:///a", .https, ""),
            ("http:////a", .http, ""),
        ] as [(String, URIScheme, String)]
    )
    func `The authority ends before the path, the query or the fragment`(
        _ text: String,
        _ scheme: URIScheme,
        _ authority: String
    ) throws {
        let beginning = try #require(beginning(text))
        #expect(beginning.scheme == scheme)
        #expect(beginning.authority == authority)
    }

    @Test(arguments: [
        "", "/", "a", "http", "http:", "http:/", "http:/a", "http:a", "https:/a", "httpss://a", " http://a", "ftp://a",
        "http\u{17f}://a", "ws://a", "wss://a", "//a", "://a", "h\u{0}tp://a", "\u{8}ttp://a",
    ])
    func `Any other scheme is none, and so is a reference without one`(_ text: String) {
        #expect(beginning(text) == nil)
    }

    @Test func `The schemes of WebSocket stand for others where they may`() throws {
        let plain = try #require(beginning("Ws://a/b", webSockets: true))
        #expect(plain == (.http, "a"))
        let secure = try #require(beginning("wsS://a/b", webSockets: true))
        #expect(secure == (.https, "a"))
    }

    @Test func `A reference without a scheme has that of its base`() throws {
        let relative = try #require(beginning("//a:1/b//c", base: .https))
        #expect(relative == (.https, "a:1"))
        let absolute = try #require(beginning("http://a", base: .https))
        #expect(absolute == (.http, "a"))
        #expect(beginning("/a", base: .https) == nil)
    }
}
