import FoundationEssentials
import Testing

@testable import paraph

@Suite struct TrustBundlesTests {
    private let system = TrustBundles.systemFiles[1]

    private func bundles(
        _ environment: [String: String] = [:],
        files: [String: String] = [TrustBundles.systemFiles[1]: "SYSTEM\n"]
    ) -> TrustBundles {
        TrustBundles(
            authority: ClientAuthority(pem: "OWN\n", javaDER: [], replaces: { $0 == Array("old".utf8) }),
            directory: "/d",
            environment: environment
        ) { files[$0].map { Array($0.utf8) } }
    }

    private func content(_ bundles: TrustBundles, _ variable: String) -> String? {
        bundles.names[variable].flatMap { bundles.files[$0] }.map { String(decoding: $0, as: UTF8.self) }
    }

    @Test func `what replaces the roots has them and the local CA, and what adds to them the local CA alone`() {
        let bundles = bundles()
        for variable in TrustVariable.all where !variable.onlyWhenPresent {
            #expect(content(bundles, variable.name) == (variable.effect == .adds ? "OWN\n" : "SYSTEM\nOWN\n"))
        }
        #expect(bundles.files.count == 2)
        #expect(bundles.names["BUNDLE_SSL_CA_CERT"] == nil)
        #expect(!bundles.lacksSystemRoots)
    }

    @Test func `each variable keeps what it had, and gives it to no other`() {
        let bundles = bundles(
            ["NODE_EXTRA_CA_CERTS": "/node", "AWS_CA_BUNDLE": "/aws", "BUNDLE_SSL_CA_CERT": "/bundle"],
            files: [system: "SYSTEM\n", "/node": "NODE", "/aws": "AWS\n", "/bundle": "BUNDLE\n"]
        )
        #expect(content(bundles, "NODE_EXTRA_CA_CERTS") == "NODE\nOWN\n")
        #expect(content(bundles, "AWS_CA_BUNDLE") == "AWS\nOWN\n")
        #expect(content(bundles, "BUNDLE_SSL_CA_CERT") == "BUNDLE\nOWN\n")
        #expect(content(bundles, "DENO_CERT") == "OWN\n")
        #expect(content(bundles, "SSL_CERT_FILE") == "SYSTEM\nOWN\n")
    }

    @Test func `a variable that is not set stands for the one that its programs look at next`() {
        let bundles = bundles(
            ["SSL_CERT_FILE": "/ssl", "CURL_CA_BUNDLE": "/curl"],
            files: [system: "SYSTEM\n", "/ssl": "SSL\n", "/curl": "CURL\n"]
        )
        #expect(content(bundles, "SSL_CERT_FILE") == "SSL\nOWN\n")
        #expect(content(bundles, "GIT_SSL_CAINFO") == "SSL\nOWN\n")
        #expect(content(bundles, "REQUESTS_CA_BUNDLE") == "CURL\nOWN\n")
        #expect(content(bundles, "NODE_EXTRA_CA_CERTS") == "OWN\n")
    }

    @Test func `an empty variable says nothing`() {
        let bundles = bundles(["SSL_CERT_FILE": "", "NODE_EXTRA_CA_CERTS": ""])
        #expect(content(bundles, "SSL_CERT_FILE") == "SYSTEM\nOWN\n")
        #expect(content(bundles, "NODE_EXTRA_CA_CERTS") == "OWN\n")
    }

    @Test(arguments: ["/not/there", TrustBundles.systemFiles[0]])
    func `whoever's roots cannot be read trusts the local CA alone`(path: String) {
        let bundles = bundles(["SSL_CERT_FILE": path, "NODE_EXTRA_CA_CERTS": path])
        for variable in ["SSL_CERT_FILE", "GIT_SSL_CAINFO", "NODE_EXTRA_CA_CERTS"] {
            #expect(content(bundles, variable) == "OWN\n")
        }
    }

    @Test func `what was made from this earlier is made anew from what it was made of`() {
        let files = [system: "NEW\n", "/node": "NODE\n"]
        let first = bundles(["NODE_EXTRA_CA_CERTS": "/node"], files: files)
        var made = files
        for (name, bytes) in first.files { made["/d/\(name)"] = String(decoding: bytes, as: UTF8.self) }
        made["/d/roots.pem"] = "STALE\n"
        let environment = first.names.mapValues { "/d/\($0)" }
        let second = bundles(environment, files: made)
        #expect(second.names == first.names)
        #expect(second.files == first.files)
    }

    @Test func `a machine without roots is told of`() {
        let bundles = bundles(files: [:])
        #expect(bundles.lacksSystemRoots)
        #expect(content(bundles, "SSL_CERT_FILE") == "OWN\n")
    }

    @Test func `an earlier certificate of the local CA is taken out, and nothing else is`() {
        func block(_ bytes: String) -> String {
            "-----BEGIN CERTIFICATE-----\n\(Data(bytes.utf8).base64EncodedString())\n-----END CERTIFICATE-----\n"
        }
        let present = "# one\n\(block("one"))# old\n\(block("old"))\(block("two"))"
        let bundles = bundles(["SSL_CERT_FILE": "/ssl"], files: ["/ssl": present])
        let expected = "# one\n\(block("one"))# old\n\n\(block("two"))OWN\n"
        #expect(content(bundles, "SSL_CERT_FILE") == expected)
    }
}
