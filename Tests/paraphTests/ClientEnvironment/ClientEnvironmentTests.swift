import Bytes
import Files
import FoundationEssentials
import Routing
import Settings
import SwiftASN1
import Testing
import UpstreamTrust
import X509

@testable import paraph

@Suite struct ClientEnvironmentTests {
    private func environment(
        _ present: [String: String] = [:],
        host: String = "127.0.0.1",
        speaksTLS: Bool = false,
        files: [String: String] = [TrustBundles.systemFiles[0]: "SYSTEM\n"]
    ) throws -> ClientEnvironment {
        ClientEnvironment(
            proxy: ClientProxy(host: host, port: 8080, speaksTLS: speaksTLS),
            authority: ClientAuthority(pem: "OWN\n", javaDER: [], replaces: { _ in false }),
            apis: [try HostPattern("api.example.com")],
            directory: "/d",
            environment: present,
            read: { files[$0].map { Array($0.utf8) } }
        )
    }

    private func values(_ environment: ClientEnvironment) -> [String: String] {
        Dictionary(uniqueKeysWithValues: environment.variables.map { ($0.name, $0.value) })
    }

    @Test func `the proxy is named in both cases, and every file that is named is there`() throws {
        let environment = try environment(["HOME": "/h"])
        let values = values(environment)
        for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy"] {
            #expect(values[name] == "http://127.0.0.1:8080")
        }
        #expect(values["NO_PROXY"] == "localhost,127.0.0.1,::1" && values["no_proxy"] == values["NO_PROXY"])
        #expect(values["NODE_USE_ENV_PROXY"] == "1" && values["PERL_LWP_ENV_PROXY"] == "1")
        let names = Set(environment.files.map { "/d/\($0.name)" }).union(["/d/truststore.p12"])
        for value in values.values where value.hasPrefix("/d/") { #expect(names.contains(value)) }
        for name in names { #expect(values.values.contains { $0.contains(name) } || name == "/d/paraph.ini") }
        #expect(environment.removed.isEmpty && environment.remarks.isEmpty)
    }

    @Test func `an IPv6 address is in brackets where it is a URL's, and not where it is Java's`() throws {
        let values = values(try environment(host: "::1"))
        #expect(values["https_proxy"] == "http://[::1]:8080")
        #expect(values["JAVA_TOOL_OPTIONS"]?.contains("-Dhttps.proxyHost=::1 ") == true)
    }

    @Test func `what cannot speak TLS to a proxy is not told of one that does`() throws {
        let own = "-Djavax.net.ssl.trustStore=/x"
        let environment = try environment(["JAVA_TOOL_OPTIONS": own], host: "proxy.test", speaksTLS: true)
        let values = values(environment)
        #expect(values["https_proxy"] == "https://proxy.test:8080")
        #expect(values["JAVA_TOOL_OPTIONS"] == nil && values["WGETRC"] == nil)
        #expect(environment.omissions.count == 1 && environment.remarks.isEmpty && environment.removed.isEmpty)
        #expect(try self.environment().omissions.isEmpty)
    }

    @Test(
        "A proxy with TLS is called by what its certificate names, as far as that leads to it",
        arguments: [
            ("127.0.0.1", ["127.0.0.1", "localhost"], "127.0.0.1", nil),
            ("127.0.0.1", ["proxy.test", "localhost"], "localhost", nil),
            ("localhost", ["127.0.0.1"], "127.0.0.1", nil),
            ("127.0.0.1", ["proxy.test"], "127.0.0.1", "proxy.test"),
            ("127.0.0.2", ["localhost"], "127.0.0.2", "localhost"),
            ("0.0.0.0", ["*.test", "proxy.test", "localhost"], "localhost", nil),
            ("::", ["*.test", "proxy.test"], "proxy.test", nil),
            ("::", ["::1"], "::1", nil),
            ("192.0.2.1", ["localhost", "proxy.test"], "proxy.test", nil),
            ("192.0.2.1", ["*.test"], "192.0.2.1", "*.test"),
            ("a.test.example", ["*.test.example", "b.test.example"], "a.test.example", nil),
        ] as [(String, [String], String, String?)]
    )
    func names(listen: String, names: [String], host: String, others: String?) throws {
        let certificate = ServerCertificateNames(
            names.map { name in
                IPAddress(name).map { .ipAddress(ASN1OctetString(contentBytes: $0.bytes[...])) } ?? .dnsName(name)
            }
        )
        let proxy = ClientProxy(ListenAddress(host: listen, port: 8080), certificate: certificate)
        #expect(proxy.host == host && proxy.otherNames == others && proxy.speaksTLS)
        #expect(ClientProxy(ListenAddress(host: "0.0.0.0", port: 1), certificate: nil).url == "http://127.0.0.1:1")
    }

    @Test func `what names another proxy goes, and the user is told of what changes`() throws {
        let environment = try environment([
            "ALL_PROXY": "x", "all_proxy": "x", "npm_config_https_proxy": "x", "CARGO_HTTP_PROXY": "x",
            "FTP_PROXY": "x",
            "no_proxy": "example.com", "JAVA_TOOL_OPTIONS": "-Djavax.net.ssl.trustStore=/x",
        ])
        #expect(environment.removed == ["ALL_PROXY", "CARGO_HTTP_PROXY", "all_proxy", "npm_config_https_proxy"])
        #expect(environment.remarks.count == 2)
        #expect(environment.remarks.contains { $0.contains("example.com") })
    }

    @Test func `the lower-case name of NO_PROXY is the one that counts`() throws {
        #expect(values(try environment(["no_proxy": "a", "NO_PROXY": "b"]))["NO_PROXY"]?.hasPrefix("a,") == true)
        #expect(values(try environment(["no_proxy": "", "NO_PROXY": "b"]))["no_proxy"]?.hasPrefix("b,") == true)
    }

    @Test(arguments: [["HOME": "/h"], ["HOME": "/else", "WGETRC": "/h/.wgetrc"]])
    func `the user's wgetrc is kept, for its owner alone`(present: [String: String]) throws {
        let environment = try environment(present, files: ["/h/.wgetrc": "password = x\n"])
        let file = try #require(environment.files.first { $0.name == "wgetrc" })
        #expect(file.isPrivate)
        #expect(String(decoding: file.bytes, as: UTF8.self).hasPrefix("password = x\n"))
        #expect(environment.files.filter(\.isPrivate).count == 1)
    }

    @Test func `its files are written once, with their modes`() throws {
        let temporary = try TemporaryDirectory(named: "paraph-test")
        defer { temporary.remove() }
        let directory = ClientDirectory(path: temporary.file("a/clients"), mode: 0o644)
        try directory.make()
        try directory.make()
        try environment().write(to: directory)
        func mode(_ name: String) throws -> Int? {
            try FileManager.default.attributesOfItem(atPath: directory.path(of: name))[.posixPermissions] as? Int
        }
        #expect(try mode("roots.pem") == 0o644 && mode("wgetrc") == 0o600 && mode("truststore.p12") == 0o644)
        let truststore = try FileContents.read(directory.path(of: "truststore.p12"))
        try environment().write(to: directory)
        #expect(try FileContents.read(directory.path(of: "truststore.p12")) == truststore)
        #expect(try !directory.write(ClientFile(name: "roots.pem", bytes: Array("SYSTEM\nOWN\n".utf8))))
        try environment(files: [:]).write(to: directory)
        #expect(try FileContents.read(directory.path(of: "truststore.p12")) != truststore)
        #expect(throws: ClientDirectory.NotWritten.self) {
            try ClientDirectory(path: directory.path(of: "roots.pem/d"), mode: 0o644).make()
        }
    }
}
