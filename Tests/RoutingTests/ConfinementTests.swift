import Routing
import Testing

@Suite("An API confined to paths and methods")
struct ConfinementTests {
    private func decide(_ method: String, _ target: String) throws -> String {
        let router = try Fixture.router()
        let interception = try #require(router.connect("confined.example.com:443").interception)
        let inside = router.inside(interception, method: method, target, account: "alice").words
        if target.hasPrefix("/") {
            let absolute = router.absolute(method: method, "http://confined.example.com\(target)", account: "alice")
                .words
            #expect(inside == absolute)
        }
        return inside
    }

    @Test(
        "serves its prefixes",
        arguments: [
            "/1.1/", "/1.1/a", "/1.1/a?x=/../", "/1.1/a..b/.c/...", "/exact", "/exactly", "/1.1/a%2fb", "/1.1//x",
            "/1.1/;x=..", "/1.1/100%25", "/1.1/a%2520b", "/1.1/%e9t%c3%a9", "/1.1/%e4%b8%ad%F0%9F%98%80", "/1.1/%",
            "/1.1/%zz", "/1.1/a%01",
        ]
    )
    func permitted(_ target: String) throws {
        #expect(try decide("GET", target) == "forward confined/alice to confined.example.com:443")
    }

    @Test(
        "refuses other paths",
        arguments: ["/", "/1.1", "/2/", "/1.1%2fadmin", "/1%2e1/", "//1.1/", "/?/1.1/", "/1.10/", "*"]
    )
    func outside(_ target: String) throws {
        #expect(try decide("GET", target) == "refuse path_not_allowed")
    }

    @Test(
        "refuses dot-segments, however they are written",
        arguments: [
            "/1.1/../admin", "/1.1/..", "/1.1/.", "/1.1/./a", "/1.1/%2e%2e/admin", "/1.1/%2E%2e", "/1.1/.%2e/x",
            "/1.1/a/%2e",
            "/1.1%2f..%2fadmin", "/1.1/%2f../x", "/1.1/..%2fadmin", "/1.1/..%5cadmin", "/1.1/..\\admin",
            "/1.1/x\\..\\admin",
            "/1.1/..;/admin", "/1.1/..;a=b/admin", "/1.1/%2e%2e%3b/admin", "/1.1/..?x", "/1.1/..#x", "/../1.1/",
            // Decoded twice, or more often.
            "/1.1/%252e%252e/admin", "/1.1/%252E%252e%252fadmin", "/1.1/.%25252e/admin", "/1.1/%25252525252525x",
            // In more octets than are needed.
            "/1.1/%c0%ae%c0%ae/admin", "/1.1/%C0%AE.%c0%af", "/1.1/%e0%80%ae/", "/1.1/%f0%80%80%ae/",
            "/1.1/%f8%80%80%80%ae/", "/1.1/%fc%80%80%80%80%ae/",
            "/1.1/%25c0%25ae/", "/1.1/a%00/../..", "/1.1/a%00", "/1.1/a%2500b",
        ]
    )
    func ambiguous(_ target: String) throws {
        #expect(try decide("GET", target) == "refuse ambiguous_path")
    }

    @Test("leaves dot-segments to APIs that are not confined")
    func unconfined() throws {
        let router = try Fixture.router()
        #expect(router.absolute("http://api.example.com/a/../b").words == "forward t/default to api.example.com:443")
    }

    @Test("takes an empty path for a slash")
    func emptyPath() throws {
        let route = APIRoute(
            index: 0,
            name: "root",
            hosts: [try HostPattern("a.example")],
            accounts: ["default"],
            paths: ["/"]
        )
        let router = Router(apis: APITable([route]), access: AccessPolicy())
        for target in ["http://a.example", "http://a.example?q", "http://a.example/x"] {
            #expect(router.absolute(target).words == "forward root/default to a.example:443", "\(target)")
        }
    }

    @Test(
        "serves its methods, case-sensitively",
        arguments: [
            ("GET", true), ("POST", true), ("get", false), ("DELETE", false), ("GETX", false), ("", false),
        ]
    )
    func methods(_ method: String, _ isPermitted: Bool) throws {
        let expected = isPermitted ? "forward confined/alice to confined.example.com:443" : "refuse method_not_allowed"
        #expect(try decide(method, "/1.1/") == expected)
    }
}
