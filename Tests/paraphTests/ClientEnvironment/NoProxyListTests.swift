import Routing
import Testing

@testable import paraph

@Suite struct NoProxyListTests {
    private let own = ["localhost", "127.0.0.1", "::1"]

    private func list(_ present: String, _ apis: [String]) throws -> NoProxyList {
        NoProxyList(present: present, apis: try apis.map(HostPattern.init))
    }

    @Test(arguments: [
        ("*", "api.example.com"),
        ("example.com", "api.example.com"),
        (".example.com", "api.example.com"),
        ("*.example.com", "api.example.com"),
        (".EXAMPLE.com", "api.example.com"),
        ("com", "api.example.com"),
        ("api.example.com", "api.example.com"),
        ("api.example.com:443", "api.example.com"),
        ("example.com", "*.example.com"),
        ("a.example.com", "*.example.com"),
        ("com", "*.example.com"),
        ("10.0.0.0/8", "10.1.2.3"),
        ("10.1.2.3", "10.1.2.3"),
        ("2001:db8::/32", "[2001:db8::1]"),
        ("[2001:db8::1]", "[2001:db8::1]"),
    ])
    func `what covers a host of an API is left out`(entry: String, api: String) throws {
        let list = try list("intranet, \(entry)", [api])
        #expect(list.dropped == [entry])
        #expect(list.entries == ["intranet"] + own)
    }

    @Test(arguments: [
        ("ample.com", "api.example.com"),
        ("other.example.com", "api.example.com"),
        ("x.api.example.com", "api.example.com"),
        ("b.a.example.com", "*.example.com"),
        ("10.0.0.0/8", "11.1.2.3"),
        ("10.1.2.30", "10.1.2.3"),
        ("10.0.0.0/8", "api.example.com"),
    ])
    func `everything else stays`(entry: String, api: String) throws {
        let list = try list(entry, [api])
        #expect(list.dropped.isEmpty)
        #expect(list.entries == [entry] + own)
    }

    @Test func `loopback is added but where an API is`() throws {
        #expect(try list("", ["api.example.com"]).text == "localhost,127.0.0.1,::1")
        #expect(try list("::1 localhost", ["api.example.com"]).text == "::1,localhost,127.0.0.1")
        #expect(try list("", ["localhost:8443"]).text == "127.0.0.1,::1")
        #expect(try list("", ["localhost:1", "127.0.0.1:1", "[::1]:1"]).text == "")
        #expect(try list("127.0.0.0/8", ["127.0.0.1:1"]).entries == ["localhost", "::1"])
    }

    @Test func `Java has words of its own`() throws {
        let list = try list(".example.com,10.0.0.0/8,192.0.2.1,2001:db8::1,x:8080", ["api.test"])
        #expect(
            list.javaText == "example.com|*.example.com|192.0.2.1|[2001:db8::1]|x|*.x|localhost|127.*|[::1]"
        )
    }
}
