import Testing

@testable import paraph

@Suite struct CurlInvocationTests {
    @Test func `a command is broken into lines that a shell joins`() {
        let command = CurlInvocation(
            groups: [["--cacert", "/tmp/x/ca.pem"], ["https://api.test/?a=b"]],
            environment: ["HTTPS_PROXY=http://127.0.0.1:1"]
        )
        #expect(
            command.shellLines == [
                "HTTPS_PROXY=http://127.0.0.1:1 \\", "curl --cacert /tmp/x/ca.pem \\", "     'https://api.test/?a=b'",
            ]
        )
    }

    @Test(arguments: [
        ("plain-._/:=@%+,", "plain-._/:=@%+,"),
        ("", "''"),
        ("a b", "'a b'"),
        ("isn't", "'isn'\\''t'"),
        ("$(id)", "'$(id)'"),
        ("a&b", "'a&b'"),
        ("~", "'~'"),
        ("é", "'é'"),
    ])
    func `an argument reaches curl as it is`(argument: String, expected: String) {
        #expect(CurlInvocation(groups: [[argument]]).shellLines == ["curl \(expected)"])
    }

    @Test func `no other proxy and no other certificates get in`() {
        let names = CurlInvocation(groups: []).processEnvironment.map { $0.prefix { $0 != "=" }.lowercased() }
        #expect(!names.contains { $0.hasSuffix("_proxy") || $0.hasPrefix("ssl_cert_") })
        let own = CurlInvocation(groups: [], environment: ["HTTPS_PROXY=x"]).processEnvironment
        #expect(own.filter { $0.hasPrefix("HTTPS_PROXY=") } == ["HTTPS_PROXY=x"])
    }
}
