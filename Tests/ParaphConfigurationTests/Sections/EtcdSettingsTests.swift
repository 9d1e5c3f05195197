import Bytes
import Crypto
import Files
import Foundation
import OAuthSigning
import Routing
import Settings
import SwiftASN1
import TestSupport
import Testing
import UpstreamTrust
import X509

@testable import ParaphConfiguration

@Suite("A vault in etcd")
struct EtcdSettingsTests {
    private static let key = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8="

    private let directory: TestDirectory

    init() throws { directory = try TestDirectory() }

    private func load(_ vault: String, api: String = Minimal.yaml) throws -> Configuration {
        let file = try directory.write("vault:\n  \(vault)\n\(api)", to: "paraph.yaml")
        return try Configuration.load(path: file, environment: ["P": "s3cr3t-password"])
    }

    private func settings(_ etcd: String) throws -> EtcdSettings {
        let configuration = try load("etcd: {\(etcd)}\n  key: \(Self.key)")
        guard case .etcd(let settings, key: _) = configuration.vault else { throw NotInEtcd() }
        #expect(!"\(configuration)".contains("s3cr3t"))
        return settings
    }

    private struct NotInEtcd: Error {}

    private func mistakes(_ vault: String) throws -> String {
        do {
            _ = try load(vault)
            return ""
        } catch let error as ConfigurationMistakes {
            return error.description.replacing(directory.path + "/", with: "")
        }
    }

    @Test("has servers, and defaults for all else")
    func defaults() throws {
        let settings = try settings("endpoints: ['https://ETCD-0', 'https://etcd-1:3379/', 'http://[::1]:2379']")
        #expect(
            settings.endpoints == [
                EtcdEndpoint(
                    scheme: .https,
                    authority: try Authority(parsing: "etcd-0:2379", defaultPort: nil)
                ),
                EtcdEndpoint(
                    scheme: .https,
                    authority: try Authority(parsing: "etcd-1:3379", defaultPort: nil)
                ),
                EtcdEndpoint(scheme: .http, authority: try Authority(parsing: "[::1]:2379", defaultPort: nil)),
            ]
        )
        #expect(settings.prefix == "paraph/")
        #expect(settings.trust == .system)
        #expect(settings.identity == nil)
        #expect(settings.user == nil)
    }

    @Test("has roots, a certificate and a user")
    func everything() throws {
        let key = P256.Signing.PrivateKey()
        let certificate = try Self.certificate(key)
        try directory.write(certificate, to: "ca.pem")
        try directory.write(key.pemRepresentation, to: "c.key")
        for trust in ["ca.pem", "[ca.pem]"] {
            let settings = try settings(
                "endpoints: ['https://etcd-0'], prefix: other/, trust: \(trust), certificate: ca.pem, private_key: c.key, "
                    + "username: me, password: {env: P}"
            )
            #expect(settings.prefix == "other/")
            guard case .certificates(let roots) = settings.trust else {
                Issue.record("\(settings.trust)")
                return
            }
            #expect(roots.count == 1)
            #expect(settings.identity?.chain.count == 1)
            #expect(settings.user?.name == "me")
            #expect(settings.user?.password.revealed() == "s3cr3t-password")
        }
    }

    @Test("has a key that is there, in a file that its owner alone may read")
    func keys() throws {
        let etcd = "etcd: {endpoints: ['https://etcd-0']}"
        #expect(
            try mistakes(etcd)
                == "paraph.yaml:2:9: vault.etcd needs the file \"state/vault.key\" with the vault's key, which is not there, and "
                + "is not made here, for it has to be the same for all replicas; make it once with: "
                + "(umask 077; head -c 32 /dev/urandom | base64 > state/vault.key)"
        )
        try FileManager.default.createDirectory(atPath: directory("state"), withIntermediateDirectories: false)
        for (name, vault) in [("state/vault.key", etcd), ("own.key", "\(etcd)\n  key: {file: own.key}")] {
            try directory.write("\(Self.key)\n", to: name)
            #expect(chmod(directory(name), 0o644) == 0)
            #expect(try mistakes(vault).contains("which can be read or written by others (mode 0644)"))
            #expect(chmod(directory(name), 0o600) == 0)
            #expect(try mistakes(vault) == "")
            #expect(try load(vault).watchedFiles.map(\.path) == [directory(name)])
            try directory.write("s3cr3t", to: name)
            #expect(try mistakes(vault).contains("which is not 32 bytes in base64"))
        }
    }

    @Test("is told over plain HTTP no password, unless it is on this machine")
    func plain() throws {
        let user = "username: me, password: {env: P}"
        for host in ["127.0.0.1", "localhost", "[::1]"] {
            #expect(try settings("endpoints: ['http://\(host)'], \(user)").user != nil)
            #expect(try load("etcd: {endpoints: ['http://\(host)']}\n  key: \(Self.key)").warnings == [])
        }
        #expect(
            try mistakes("etcd: {endpoints: ['http://etcd-0'], \(user)}\n  key: \(Self.key)")
                == "paraph.yaml:2:22: vault.etcd.endpoints[0] must start with https://, for a password travels there"
        )
        let warnings = try load("etcd: {endpoints: ['http://etcd-0']}\n  key: \(Self.key)").warnings
        #expect(warnings.count == 1)
        #expect(warnings.first?.message.contains("vault.etcd.endpoints[0] is http") == true)
    }

    @Test("is told when its prefix lies among the records of a vault with a shorter one")
    func prefixes() throws {
        for (prefix, isTold) in [
            ("paraph/", false), ("paraph/b/", false), ("/paraph/b", false), ("api-keys/", false), ("keys/", true),
            ("paraph/credentials/", true), ("paraph/clocks/b/", true),
        ] {
            let vault = "etcd: {endpoints: ['https://etcd-0'], prefix: \(prefix)}\n  key: \(Self.key)"
            let messages = try load(vault).warnings.map(\.message)
            #expect(messages.count == (isTold ? 1 : 0))
            #expect(messages.first?.contains("vault.etcd.prefix has ") != false)
        }
    }

    @Test("of null is none")
    func null() throws {
        let configuration = try load("etcd: null", api: Minimal.withOAuth1("timestamp: monotonic"))
        guard case .directory = configuration.vault else {
            Issue.record("\(configuration.vault)")
            return
        }
    }

    @Test("takes timestamps of the wall clock from a provider that wants rising ones, and tells of it")
    func timestamps() throws {
        let api = Minimal.withOAuth1("timestamp: wall").replacing(
            "hosts: [api.example.com]",
            with: "preset: netsuite\n    hosts: [1234567.restlets.api.netsuite.com]"
        )
        let warnings = try load("etcd: {endpoints: ['https://etcd-0']}\n  key: \(Self.key)", api: api).warnings
        #expect(warnings.contains { $0.message.hasSuffix("have one proxy alone sign for it") })
    }

    private static func certificate(_ key: P256.Signing.PrivateKey) throws -> String {
        let key = Certificate.PrivateKey(key)
        let name = try DistinguishedName { CommonName("etcd") }
        let certificate = try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: Date() - 3600,
            notValidAfter: Date() + 86_400 * 365,
            issuer: name,
            subject: name,
            signatureAlgorithm: .ecdsaWithSHA256,
            extensions: Certificate.Extensions(),
            issuerPrivateKey: key
        )
        return try certificate.serializeAsPEM().pemString
    }
}
