import Bytes
import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("Base string URI")
struct BaseStringURITests {
    @Test(
        "Host in lower case, port unless it is the scheme's, path as it is",
        arguments: [
            ("http", "EXAMPLE.com", "/", "http://example.com/"),
            ("http", "example.com:80", "/", "http://example.com/"),
            ("https", "example.com:443", "/", "https://example.com/"),
            ("https", "example.com:80", "/", "https://example.com:80/"),
            ("http", "example.com:443", "/", "http://example.com:443/"),
            ("https", "example.com:0443", "/", "https://example.com/"),
            ("https", "example.com:", "/", "https://example.com/"),
            ("https", "example.com:4430", "/", "https://example.com:4430/"),
            ("https", "example.com:18446744073709552059", "/", "https://example.com:18446744073709552059/"),
            ("https", "[2001:DB8::1]", "/", "https://[2001:db8::1]/"),
            ("https", "[2001:DB8::443]:443", "/", "https://[2001:db8::443]/"),
            ("https", "[::1]:8443", "/", "https://[::1]:8443/"),
            ("https", "192.0.2.1:8443", "/", "https://192.0.2.1:8443/"),
            ("https", "h", "", "https://h/"),
            ("https", "h", "?a=b", "https://h/"),
            ("https", "h", "*", "https://h/"),
            ("https", "h", "/?a?b", "https://h/"),
            ("https", "h", "/a%2fb/%2F", "https://h/a%2fb/%2F"),
            ("https", "h", "//x//y/../.", "https://h//x//y/../."),
            ("https", "h", "/a;v=1,2;", "https://h/a;v=1,2;"),
            ("https", "h", "/a+b&c=d", "https://h/a+b&c=d"),
            ("https", "h", "/%zz%", "https://h/%zz%"),
            ("https", "h", "/CaSe", "https://h/CaSe"),
            ("https", "h", "/日本", "https://h/日本"),
        ]
    )
    func uri(_ scheme: String, _ authority: String, _ target: String, _ uri: String) throws {
        var request = try SignableRequest()
        request.scheme = Array(scheme.utf8)
        request.authority = Array(authority.utf8)
        request.target = Array(target.utf8)
        let explanation = try request.explain()
        #expect(explanation.baseStringURI == uri)
        #expect(explanation.baseString.split(separator: "&")[1].utf8.elementsEqual(PercentEncoding.encode(uri.utf8)))
    }

    @Test("The method is signed in upper case, encoded if it must be", arguments: [("get", "GET"), ("M-x!", "M-X%21")])
    func method(_ method: String, _ signed: String) throws {
        var request = try SignableRequest()
        request.method = Array(method.utf8)
        #expect(try request.explain().baseString.hasPrefix(signed + "&"))
    }

    @Test(
        "A URI is cut into scheme, authority and target without a change",
        arguments: [
            ("http://h", "http", "h", ""),
            ("HTTP://H:80?q#f", "HTTP", "H:80", "?q"),
            ("https://user:p%40ss@h/a@b?c@d", "https", "h", "/a@b?c@d"),
            ("https://a@b@h/", "https", "h", "/"),
            ("https://[::1]:1/a#b?c", "https", "[::1]:1", "/a"),
            ("https://h/a b", "https", "h", "/a b"),
        ]
    )
    func split(_ text: String, _ scheme: String, _ authority: String, _ target: String) throws {
        let bytes = Array(text.utf8)
        let split = AbsoluteURI(bytes.span)
        let uri = try #require(split)
        #expect(uri.scheme[...].text == scheme)
        #expect(uri.authority[...].text == authority)
        #expect(uri.target[...].text == target)
    }

    @Test(
        "What has no scheme or no host is no URI",
        arguments: ["", "h", "/a", "://h", "http:/h", "http://", "http://:80/", "http:"]
    )
    func notAURI(_ text: String) {
        let bytes = Array(text.utf8)
        #expect((AbsoluteURI(bytes.span) == nil) as Bool)
    }
}
