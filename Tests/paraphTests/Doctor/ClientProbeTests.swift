import Testing

@testable import paraph

@Suite("The output of clients")
struct ClientProbeTests {
    private func probe(_ name: String) throws -> ClientProbe {
        try #require(ClientProbe.all.first { $0.name == name })
    }

    @Test(
        "A script's status is the last one that it marked",
        arguments: ["python3", "node", "java", "go", "ruby", "php"]
    )
    func readsMarkedStatus(name: String) throws {
        let probe = try probe(name)
        #expect(probe.status("noise\nparaph-status 403\n", "paraph-status 500") == 403)
        #expect(probe.status("", "Traceback") == nil)
    }

    @Test("curl's 000 is no status")
    func readsCurl() throws {
        #expect(try probe("curl").status("\nparaph-status 200\n", "") == 200)
        #expect(try probe("curl").status("\nparaph-status 000\n", "curl: (60) SSL") == nil)
    }

    @Test("wget's status is that of the last response")
    func readsWget() throws {
        let errors = "  HTTP/1.1 407 No\n  HTTP/1.1 403 Forbidden\n  Content-Length: 1\n"
        #expect(try probe("wget").status("", errors) == 403)
        #expect(try probe("wget").status("", "Unable to establish SSL connection.") == nil)
    }

    @Test(
        "git's words tell the status",
        arguments: [
            ("fatal: unable to access 'https://a/': The requested URL returned error: 403", 403),
            ("fatal: could not read Username for 'https://a': terminal prompts disabled", 401),
            ("fatal: repository 'https://a/' not found", 404),
            ("fatal: https://a/info/refs not valid: is this a git repository?", 200),
            ("fatal: unable to access 'https://a/': server certificate verification failed. CAfile: none", nil),
            ("fatal: unable to access 'https://a/': Could not resolve host: a", nil),
        ] as [(String, Int?)]
    )
    func readsGit(errors: String, status: Int?) throws {
        #expect(try probe("git").status("", errors) == status)
    }

    @Test(
        "npm's words tell the status",
        arguments: [
            ("npm error code E401\nnpm error 401 Unauthorized - GET https://a/", 401),
            ("npm warn tar TAR_BAD_ARCHIVE: Unrecognized archive format\nnpm error code TAR_BAD_ARCHIVE", 200),
            ("npm error code SELF_SIGNED_CERT_IN_CHAIN\nnpm error self-signed certificate", nil),
            ("npm error code ECONNREFUSED\nnpm error syscall connect", nil),
        ] as [(String, Int?)]
    )
    func readsNPM(errors: String, status: Int?) throws {
        #expect(try probe("npm").status("", errors) == status)
    }

    @Test("The account goes into the one field that names it, and into none when there is none")
    func namesAccount() {
        for probe in ClientProbe.all {
            let with = probe.arguments(ClientProbe.Request(url: "https://a/", account: "nobody", directory: "/d"))
            let without = probe.arguments(ClientProbe.Request(url: "https://a/", account: "", directory: "/d"))
            #expect(with.contains { $0.contains("nobody") } == probe.canNameAccount)
            #expect(with.contains("https://a/"))
            #expect(!without.contains { $0.contains("nobody") })
        }
    }

    @Test("A complaint is the line that tells, without control characters")
    func findsComplaint() {
        let errors = "Get: x509: certificate signed\u{1B}[1m\nexit status 1\n"
        let go = ClientRun.Outcome(code: 1, output: "", errors: errors)
        #expect(go.complaint.hasPrefix("Get: x509: certificate signed"))
        #expect(!go.complaint.contains("\u{1B}"))
        #expect(ClientRun.Outcome(code: 5, output: "", errors: "").complaint == "it ended with code 5")
    }
}
