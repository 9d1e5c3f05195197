import ParaphConfiguration
import Settings
import Testing

@Suite("A gateway's settings")
struct GatewaySettingsTests {
    private static let plain = GatewaySettings(address: ListenAddress(host: "127.0.0.1", port: 9001))
    private static let full = GatewaySettings(
        address: ListenAddress(host: "127.0.0.1", port: 9001),
        mapsResponses: false,
        hosts: ["paraph", "10.0.0.5", "2001:db8::1"]
    )
    private static let mapping = """
        {listen: "127.0.0.1:9001", map_responses: off, hosts: [Paraph, 10.0.0.5, "[2001:DB8::1]"]}
        """

    static let rows: [(text: String?, expected: GatewaySettings?)] = [
        (nil, nil), ("null", nil), ("off", nil), ("127.0.0.1:9001", plain), ("{listen: 127.0.0.1:9001}", plain),
        ("{listen: 127.0.0.1:9001, hosts: []}", plain), (mapping, full),
        ("127.0.0.1:0", GatewaySettings(address: ListenAddress(host: "127.0.0.1", port: 0))),
        ("\"[::1]:9001\"", GatewaySettings(address: ListenAddress(host: "::1", port: 9001))),
    ]

    @Test("are an address, or a mapping with it", arguments: rows)
    func read(_ text: String?, _ expected: GatewaySettings?) throws {
        let yaml = Minimal.withAPI(text.map { "gateway: \($0)" } ?? "")
        #expect(try ParaphConfigurationTests.read(yaml).proxy.apis.first?.gateway == expected)
    }

    @Test("beyond loopback need clients")
    func open() throws {
        let yaml = Minimal.withAPI("gateway: 0.0.0.0:9001")
        #expect(mistakes(yaml.utf8).count == 1)
        #expect(mistakes("\(yaml)access: {clients: [{name: a, password: b}]}\n".utf8) == [])
    }

    @Test("of several APIs may leave the port open")
    func anyPort() throws {
        let second = Minimal.withAPI("gateway: 127.0.0.1:0")
            .replacing("apis:\n", with: "").replacing("  t:\n", with: "  u:\n")
            .replacing("api.example.com", with: "b.example.com")
        #expect(mistakes((Minimal.withAPI("gateway: 127.0.0.1:0") + second).utf8) == [])
    }

    @Test("are in the summary")
    func summary() throws {
        let configuration = try ParaphConfigurationTests.read(Minimal.withAPI("gateway: 127.0.0.1:9001"))
        #expect(configuration.summary.contains("gateway of t on 127.0.0.1:9001"))
    }
}
