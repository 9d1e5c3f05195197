import ParaphConfiguration
import Testing

@Suite("Configuration file")
struct ConfigurationLocationTests {
    @Test(
        "is the one named, else the one found first",
        arguments: [
            ("a.yaml", "b.yaml", ["paraph.yaml"], "a.yaml"),
            (nil, "b.yaml", ["paraph.yaml"], "b.yaml"),
            (nil, "", ["paraph.yaml", "/etc/paraph/paraph.yaml"], "paraph.yaml"),
            (nil, nil, ["/etc/paraph/paraph.yaml"], "/etc/paraph/paraph.yaml"),
            (nil, nil, [], nil),
        ] as [(String?, String?, [String], String?)]
    )
    func order(_ option: String?, _ variable: String?, _ existing: [String], _ expected: String?) {
        let location = ConfigurationLocation(
            option: option,
            environment: variable.map { ["PARAPH_CONFIG": $0] } ?? [:],
            exists: existing.contains
        )
        #expect(location.path == expected)
    }

    @Test("that is found nowhere names the places")
    func places() {
        let location = ConfigurationLocation(option: nil, environment: [:], exists: { _ in false })
        #expect(location.searched == ["paraph.yaml", "/etc/paraph/paraph.yaml"])
    }
}
