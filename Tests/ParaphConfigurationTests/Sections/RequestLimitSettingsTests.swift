import ParaphConfiguration
import Settings
import Testing

@Suite("Limits of requests in flight")
struct RequestLimitSettingsTests {
    static let rows: [(whole: String?, own: String?, expected: Int?)] = [
        (nil, nil, nil), ("5", nil, 5), ("5", "7", 7), ("5", "off", nil), ("5", "null", 5), ("off", nil, nil),
        ("off", "3", 3), (nil, "3", 3), ("null", nil, nil), ("false", nil, nil),
    ]

    @Test("are those of the whole file, unless an API has its own", arguments: rows)
    func perAPI(_ whole: String?, _ own: String?, _ expected: Int?) throws {
        let yaml = Minimal.withAPI(own.map { "requests: \($0)" } ?? "")
        let limits = whole.map { "limits: {requests_per_api: \($0)}\n" } ?? ""
        #expect(try read(yaml + limits).proxy.apis.first?.requests == expected)
    }

    @Test("are numbers for clients, too", arguments: [("12", 12), ("off", nil), ("null", nil)] as [(String, Int?)])
    func perClient(_ text: String, _ expected: Int?) throws {
        let yaml = "limits: {requests_per_client: \(text)}\n\(Minimal.yaml)"
        #expect(try read(yaml).proxy.limits.requestsPerClient == expected)
    }

    @Test("are nothing else", arguments: ["0", "-1", "on", "many", "1.5", "[1]", "1000001"])
    func mistaken(_ text: String) {
        #expect(mistakes("limits: {requests_per_client: \(text)}\n\(Minimal.yaml)".utf8).count == 1)
        #expect(mistakes(Minimal.withAPI("requests: \(text)").utf8).count == 1)
    }

    @Test(
        "are there for connections and tunnels of one client, too",
        arguments: [("12", 12), ("off", nil)] as [(String, Int?)]
    )
    func connections(_ text: String, _ expected: Int?) throws {
        let limits = try read("limits: {upstream_per_client: \(text), tunnels_per_client: \(text)}\n\(Minimal.yaml)")
            .proxy.limits
        #expect(limits.upstreamPerClient == expected && limits.tunnelsPerClient == expected)
    }

    @Test("What one request may hold is at most what all together may")
    func collected() throws {
        #expect(try read(Minimal.yaml).proxy.limits.collected == 64 << 20)
        #expect(
            try read("limits: {collected: 2MiB}\n" + Minimal.withAPI("signing: {max_body: 1MiB}")).proxy.limits
                .collected == 2
                << 20
        )
        #expect(
            mistakes(("limits: {collected: 2MiB}\n" + Minimal.withAPI("signing: {max_body: 1025KiB}")).utf8).count == 1
        )
        #expect(mistakes("limits: {collected: 1000}\n\(Minimal.yaml)".utf8).count == 1)
    }
}
