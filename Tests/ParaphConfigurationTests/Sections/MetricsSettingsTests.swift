import ParaphConfiguration
import Settings
import Testing

@Suite("Settings of metrics")
struct MetricsSettingsTests {
    @Test(
        "name accounts where that is wanted",
        arguments: [
            (nil, false), ("", false), ("{}", false), ("{accounts: off}", false), ("{accounts: on}", true),
            ("{accounts: true}", true),
        ] as [(String?, Bool)]
    )
    func accounts(_ text: String?, _ expected: Bool) throws {
        let section = text.map { "metrics: \($0)\n" } ?? ""
        #expect(try read(section + Minimal.yaml).proxy.namesAccountsInMetrics == expected)
    }

    @Test("are nothing else", arguments: ["{accounts: some}", "{account: on}", "on", "[accounts]"])
    func mistaken(_ text: String) {
        #expect(mistakes("metrics: \(text)\n\(Minimal.yaml)".utf8).count == 1)
    }
}
