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
        let found = try #require(beginning(text))
        #expect(found.scheme == scheme)
        #expect(found.authority == authority)
    }

    @Test(arguments: [
        "", "/", "a", "http", "http:", "http:/", "http:/a", "http:a", "https:/a", "httpss://a", " http://a", "ftp://a",
        "http\u{17f}://a", "ws://a", "wss://a", "//a", "://a", "h\u{0}tp://a", "\u{8}ttp://a",
    ])
    func `Any other scheme is none, and so is a reference without one`(_ text: String) {
        let found = beginning(text)
        #expect(found == nil)
    }

    @Test(arguments: [("Ws://a/b", .http), ("wsS://a/b", .https)] as [(String, URIScheme)])
    func `The schemes of WebSocket stand for others where they may`(_ text: String, _ scheme: URIScheme) throws {
        let found = try #require(beginning(text, webSockets: true))
        #expect(found.scheme == scheme)
        #expect(found.authority == "a")
    }

    @Test(arguments: [("//a:1/b//c", .https, "a:1"), ("http://a", .http, "a")] as [(String, URIScheme, String)])
    func `A reference without a scheme has that of its base`(
        _ text: String,
        _ scheme: URIScheme,
        _ authority: String
    ) throws {
        let found = try #require(beginning(text, base: .https))
        #expect(found.scheme == scheme)
        #expect(found.authority == authority)
        let path = beginning("/a", base: .https)
        #expect(path == nil)
    }
}
