import Credentials
import Crypto
import Foundation
import OAuthSigning
import ParaphConfiguration
import Settings
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite("Another proxy to go through")
struct UpstreamProxySettingsTests {
    private static let plain = UpstreamProxy(host: "proxy.example.com", port: 3128)
    private static let full = UpstreamProxy(
        host: "proxy.example.com",
        port: 3128,
        username: "me",
        password: Secret("s3cr3t-proxy")
    )
    private static let secure = UpstreamProxy(host: "proxy.example.com", port: 3129, trust: .system)
    private static let mapping =
        "{url: 'http://proxy.example.com:3128/', username: me, password: {env: PROXY_PASSWORD}}"

    static let rows: [(top: String?, own: String?, expected: UpstreamProxy?)] = [
        (nil, nil, nil), ("http://proxy.example.com:3128", nil, plain), (nil, "HTTP://Proxy.Example.Com:3128/", plain),
        (mapping, nil, full), (nil, mapping, full), (mapping, "http://proxy.example.com:3128", plain),
        (mapping, "off", nil), ("off", mapping, full), ("off", nil, nil), (mapping, "null", full), (nil, "false", nil),
        ("{url: 'http://proxy.example.com:3128'}", nil, plain),
        ("http://[2001:DB8::1]:3128", nil, UpstreamProxy(host: "2001:db8::1", port: 3128)),
        ("https://proxy.example.com:3129", nil, secure), (nil, "HTTPS://Proxy.Example.Com:3129/", secure),
        ("{url: 'https://proxy.example.com:3129', trust: system}", nil, secure),
        ("https://proxy.example.com:3129", "off", nil), (mapping, "https://proxy.example.com:3129", secure),
        (
            "{url: 'http://10.0.0.1:80', username: me, password: ''}", nil,
            UpstreamProxy(host: "10.0.0.1", port: 80, username: "me", password: Secret(""))
        ),
    ]

    @Test("is the API's own, else the one of the whole file; off is none", arguments: rows)
    func inherited(_ top: String?, _ own: String?, _ expected: UpstreamProxy?) throws {
        let line = { (value: String?) in value.map { "upstream_proxy: \($0)\n" } ?? "" }
        let yaml = Minimal.withAPI(line(own)) + line(top)
        let configuration = try read(yaml, environment: ["PROXY_PASSWORD": "s3cr3t-proxy"])
        #expect(configuration.proxy.apis.first?.upstreamProxy == expected)
        if own == nil { #expect(configuration.proxy.upstreamProxy == expected) }
        #expect(!"\(configuration)".contains("s3cr3t"))
    }

    @Test("is not taken from the environment")
    func environment() throws {
        let names = ["HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy"]
        let environment = Dictionary(uniqueKeysWithValues: names.map { ($0, "http://proxy.example.com:3128") })
        let configuration = try read(Minimal.yaml, environment: environment)
        #expect(configuration.proxy.upstreamProxy == nil)
        #expect(configuration.proxy.apis.first?.upstreamProxy == nil)
    }

    @Test("has a password whose variable is among those that hold secrets")
    func variables() throws {
        let yaml = Minimal.withAPI("upstream_proxy: \(Self.mapping)")
            .replacing("consumer_secret: s3cr3t-consumer", with: "consumer_secret: {env: CONSUMER}")
        let configuration = try read(yaml, environment: ["PROXY_PASSWORD": "a", "CONSUMER": "b", "HOME": "c"])
        #expect(configuration.secretVariables == ["PROXY_PASSWORD", "CONSUMER"])
        #expect(try read(Minimal.yaml, environment: ["HOME": "c"]).secretVariables == [])
    }

    @Test("is verified by the roots of PEM files where such are named, in place of the system's")
    func trust() throws {
        let directory = try TestDirectory()
        let key = P256.Signing.PrivateKey()
        let name = try DistinguishedName { CommonName("A proxy's root") }
        let root = try Certificate(
            version: .v3,
            serialNumber: Certificate.SerialNumber(),
            publicKey: Certificate.PublicKey(key.publicKey),
            notValidBefore: Date(),
            notValidAfter: Date() + 60,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions {},
            issuerPrivateKey: Certificate.PrivateKey(key)
        )
        let path = try directory.write(root.serializeAsPEM().pemString, to: "root.pem")
        let yaml = Minimal.yaml + "upstream_proxy: {url: 'https://proxy.example.com:3129', trust: ['\(path)']}\n"
        let proxy = try #require(try read(yaml).proxy.upstreamProxy)
        #expect(proxy.trust == .certificates([root]))
        #expect(proxy.url == "https://proxy.example.com:3129")
    }
}
