import Bytes
import Routing
import Testing

@Suite("API table")
struct APITableTests {
    private static func route(_ name: String, _ hosts: [String], index: Int = 0, scheme: URIScheme = .https) throws
        -> APIRoute
    {
        APIRoute(
            index: index,
            name: name,
            hosts: try hosts.map(HostPattern.init),
            accounts: ["default"],
            upstreamScheme: scheme
        )
    }

    private let table: APITable

    init() throws {
        table = APITable([
            try Self.route("exact", ["api.example.com", "api.example.com:8443", "[::1]:9000", "192.0.2.1"]),
            try Self.route("wild", ["*.example.com", "*.example.com:8443"]),
            try Self.route("port80", ["plain.example.org:80"]),
            try Self.route(
                "clear",
                ["clear.example.net", "*.clear.example.net", "clear.example.net:8080"],
                scheme: .http
            ),
        ])
    }

    @Test(
        "finds the API of a host and port, an exact host before a wildcard",
        arguments: [
            ("api.example.com:443", "exact"),
            ("API.EXAMPLE.COM:443", "exact"),
            ("api.example.com:8443", "exact"),
            ("api.example.com:80", nil),
            ("api.example.com:444", nil),
            ("other.example.com:443", "wild"),
            ("other.example.com:8443", "wild"),
            ("other.example.com:9999", nil),
            ("a.b.example.com:443", nil),
            ("example.com:443", nil),
            ("notexample.com:443", nil),
            ("[::1]:9000", "exact"),
            ("[0:0::1]:9000", "exact"),
            ("192.0.2.1:443", "exact"),
            ("192.0.2.2:443", nil),
            ("plain.example.org:80", "port80"),
            ("plain.example.org:443", nil),
        ]
    )
    func finds(_ authority: String, _ name: String?) throws {
        #expect(table.route(for: try Authority(parsing: authority, defaultPort: nil))?.name == name)
    }

    @Test(
        "sends http:// requests for a host without a port to the default port of the API's scheme",
        arguments: [
            ("api.example.com:80", "exact", "api.example.com:443"),
            ("api.example.com:8443", "exact", "api.example.com:8443"),
            ("api.example.com:443", "exact", "api.example.com:443"),
            ("other.example.com:80", "wild", "other.example.com:443"),
            ("plain.example.org:80", "port80", "plain.example.org:80"),
            ("clear.example.net:80", "clear", "clear.example.net:80"),
            ("clear.example.net:443", "clear", "clear.example.net:80"),
            ("clear.example.net:8080", "clear", "clear.example.net:8080"),
            ("x.clear.example.net:80", "clear", "x.clear.example.net:80"),
            ("api.example.com:81", nil, nil),
            ("example.com:80", nil, nil),
        ]
    )
    func plain(_ authority: String, _ name: String?, _ upstream: String?) throws {
        let found = table.plainRoute(for: try Authority(parsing: authority, defaultPort: nil))
        #expect(found?.route.name == name)
        #expect(found?.upstream.description == upstream)
    }

    @Test("holds ten thousand APIs, each found by its own host")
    func many() throws {
        let routes = try (0..<10_000).map {
            try Self.route("api\($0)", ["h\($0).example.com", "*.w\($0).example.com"], index: $0)
        }
        let table = APITable(routes)
        #expect(APITable.conflicts(in: routes).isEmpty)
        for number in [0, 1, 4_999, 9_999] {
            #expect(
                table.route(for: try Authority(parsing: "h\(number).example.com", defaultPort: 443))?.index == number
            )
            #expect(
                table.route(for: try Authority(parsing: "x.w\(number).example.com", defaultPort: 443))?.index == number
            )
        }
        #expect(table.route(for: try Authority(parsing: "h10000.example.com", defaultPort: 443)) == nil)
    }

    struct Pair: Sendable, CustomTestStringConvertible {
        var first: [String]
        var second: [String]
        var conflicts: Int
        var testDescription: String { "\(first) and \(second)" }
    }

    @Test(
        "tells claims of two APIs to one host and port",
        arguments: [
            Pair(first: ["a.example"], second: ["b.example"], conflicts: 0),
            Pair(first: ["a.example"], second: ["A.EXAMPLE"], conflicts: 1),
            Pair(first: ["a.example"], second: ["a.example:443"], conflicts: 1),
            Pair(first: ["a.example"], second: ["a.example:80"], conflicts: 1),
            Pair(first: ["a.example:80"], second: ["a.example"], conflicts: 1),
            Pair(first: ["a.example:443"], second: ["a.example:80"], conflicts: 0),
            Pair(first: ["*.w.example"], second: ["x.w.example"], conflicts: 0),
            Pair(first: ["*.w.example"], second: ["*.w.example:443"], conflicts: 1),
            Pair(first: ["a.example", "a.example"], second: ["b.example"], conflicts: 1),
            Pair(first: ["a.example", "a.example:80"], second: ["b.example"], conflicts: 0),
            Pair(first: ["[::1]"], second: ["[0::1]"], conflicts: 1),
        ]
    )
    func conflicts(_ pair: Pair) throws {
        let routes = [try Self.route("one", pair.first, index: 0), try Self.route("two", pair.second, index: 1)]
        #expect(APITable.conflicts(in: routes).count == pair.conflicts)
    }

    @Test(
        "takes no other host patterns",
        arguments: [
            ("*", HostPatternError.misplacedWildcard),
            ("a.*.example.com", .misplacedWildcard),
            ("*.*.example.com", .misplacedWildcard),
            ("x*.example.com", .misplacedWildcard),
            ("*.com", .wildcardTooWide),
            ("*.[::1]", .wildcardAddress),
            ("*.1.2.3.4", .wildcardAddress),
            ("*.", .authority(.emptyHost)),
            ("", .authority(.emptyHost)),
            ("host:0", .authority(.badPort)),
            ("https://host", .authority(.badPort)),
        ]
    )
    func patterns(_ text: String, _ reason: HostPatternError) {
        #expect(throws: reason) { try HostPattern(text) }
    }
}
