/// The certificates that are for a host, and what switching that off lets pass.
enum NameTable {
    typealias Row = DecisionRow

    static let rows =
        names.map { leaf, host, isFor in
            let expected: Row.Expectation = isFor ? .accepted : .refused("wrong_hostname")
            return Row("\(leaf) for \"\(host)\"", ChainTable.below(leaf), host: host, expected)
        } + [
            Row("another name, names off", other, verifiesHostname: false, .accepted),
            Row("untrusted, names off", untrusted, trusted: ["unrelated"], verifiesHostname: false, isUntrusted),
            Row("critical names, names off", empty, host: "a.example.org", verifiesHostname: false, .accepted),
        ]

    private static let names: [(leaf: String, host: String, isFor: Bool)] = [
        ("leaf", "API.EXAMPLE.COM", true), ("leaf", "api.example.com.", true), ("leaf", "example.com", false),
        ("leaf", "api.example.com.evil.org", false), ("leaf", "xapi.example.com", false),
        ("leaf, upper case", "api.example.com", true), ("leaf, other name", "api.example.com", false),
        ("leaf, wildcard", "api.example.com", true), ("leaf, wildcard", "a.b.example.com", false),
        ("leaf, wildcard", "example.com", false), ("leaf, wildcard", ".example.com", false),
        ("leaf, part wildcard", "api.example.com", false), ("leaf, wildcard in the middle", "api.example.com", false),
        ("leaf, bare wildcard", "localhost", false), ("leaf, wildcard of a top domain", "example.com", false),
        ("leaf, no alternative name", "api.example.com", false), ("leaf, e-mail", "api.example.com", false),
        ("leaf, IPv4", "192.0.2.7", true), ("leaf, IPv4", "192.0.2.8", false),
        ("leaf, IPv4", "::ffff:192.0.2.7", false), ("leaf, IPv6", "2001:db8::7", true),
        ("leaf, IPv6", "[2001:DB8:0:0::7]", true), ("leaf, IPv6", "2001:db8::8", false),
        ("leaf, address as a name", "192.0.2.7", false), ("leaf", "192.0.2.7", false),
        ("leaf, IPv4", "api.example.com", false), ("leaf, empty subject", "api.example.com", true),
        ("leaf", "", false), ("leaf", "api_example_com", false),
    ]

    private static let other = ChainTable.below("leaf, other name")
    private static let empty = ChainTable.below("leaf, empty subject")
    private static let untrusted = ChainTable.whole + ["root"]
    private static let isUntrusted = Row.Expectation.refused("untrusted_root")
}
