import Testing

@testable import paraph

@Suite struct OptionTextTests {
    private func java(_ present: String, truststore: String = "/d/truststore.p12") -> String {
        JavaOptions.text(present: present, host: "h", port: 1, nonProxyHosts: "a|*.b", truststore: truststore)
    }

    private let own =
        "-Dhttp.proxyHost=h -Dhttp.proxyPort=1 -Dhttps.proxyHost=h -Dhttps.proxyPort=1 -Dhttp.nonProxyHosts=a|*.b "
        + "-Djavax.net.ssl.trustStore=/d/truststore.p12 -Djavax.net.ssl.trustStoreType=PKCS12 "
        + "-Djavax.net.ssl.trustStorePassword=changeit"

    @Test func `Java's options stay, but for those of another proxy`() {
        #expect(java("") == own)
        #expect(java("-Xmx1g '-Dx=a b'") == "-Xmx1g '-Dx=a b' \(own)")
        #expect(
            java("-Dhttps.proxyHost=x  \"-Dhttp.nonProxyHosts=a b\" -DsocksProxyHost=y -Dhttp.proxyHostX=z")
                == "-Dhttp.proxyHostX=z \(own)"
        )
        #expect(java(java("-Xmx1g")) == "-Xmx1g \(own)")
        #expect(java("", truststore: "/a b/t").contains(#" "-Djavax.net.ssl.trustStore=/a b/t" "#))
    }

    @Test(arguments: [
        ("", false), ("-Xmx1g", false), ("-Djavax.net.ssl.trustStore=/else/own.p12", false),
        ("-Djavax.net.ssl.trustStore=/corporate.jks", true), ("\"-Djavax.net.ssl.trustStore=/a b/c\"", true),
        ("-Djavax.net.ssl.trustStorePassword=x", false),
    ])
    func `a truststore of the user's is noticed`(options: String, isForeign: Bool) {
        #expect(JavaOptions.namesTruststore(options, besides: "own.p12") == isForeign)
    }

    @Test func `Node's options stay`() {
        #expect(NodePreload.options(present: "", file: "/d/p") == "--require=/d/p")
        #expect(NodePreload.options(present: "--a=1", file: "/d/p") == "--a=1 --require=/d/p")
        #expect(NodePreload.options(present: "--a=1 --require=/d/p", file: "/d/p") == "--a=1 --require=/d/p")
        #expect(NodePreload.options(present: "", file: #"/a b/"\p"#) == #"--require="/a b/\"\\p""#)
    }

    @Test func `PHP's directories stay, and its own stands before`() {
        #expect(PHPSettings.directories(present: nil, adding: "/d") == ":/d")
        #expect(PHPSettings.directories(present: "/a:", adding: "/d") == "/a::/d")
        #expect(PHPSettings.directories(present: ":/d", adding: "/d") == ":/d")
    }

    @Test func `a wgetrc stays, and what is added to it is added once`() {
        let added = "# Added by paraph:\nca_certificate = /d/roots\n"
        func settings(_ present: String) -> String {
            String(decoding: WgetSettings.bytes(present: Array(present.utf8), roots: "/d/roots"), as: UTF8.self)
        }
        #expect(settings("") == added)
        #expect(settings("timeout = 3") == "timeout = 3\n\(added)")
        #expect(settings("timeout = 3\n\(added)") == "timeout = 3\n\(added)")
    }
}
