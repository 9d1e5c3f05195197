import ParaphConfiguration
import Routing
import Settings
import Testing

@Suite("A large configuration")
struct ScaleTests {
    @Test("of a thousand APIs with ten accounts each is read whole")
    func thousand() throws {
        var yaml = "apis:\n"
        for api in 0..<1_000 {
            yaml += """
                  api\(api):
                    hosts: [h\(api).example.com, "*.w\(api).example.com"]
                    oauth1: {consumer_key: k\(api), consumer_secret: s}
                    accounts:

                """
            for account in 0..<10 { yaml += "      a\(account): {token: t\(account), token_secret: s}\n" }
        }
        let configuration = try read(yaml)
        #expect(configuration.proxy.apis.count == 1_000)
        #expect(configuration.proxy.apis.allSatisfy { $0.accounts.count == 10 })
        let route = configuration.proxy.router.apis.route(
            for: try Authority(parsing: "x.w999.example.com", defaultPort: 443)
        )
        #expect(route?.name == "api999")
    }
}
