import Crypto
import Foundation
import ParaphConfiguration
import Settings
import SwiftASN1
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite("A client's certificate and key")
struct ClientIdentityTests {
    private let directory: TestDirectory
    private let key = Certificate.PrivateKey(P256.Signing.PrivateKey())

    init() throws {
        directory = try TestDirectory()
        let issuer = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let own = try Self.certificate(of: key)
        let other = try Self.certificate(of: issuer)
        try directory.write(own + other, to: "client.pem")
        try directory.write(other + own, to: "reversed.pem")
        try directory.write(other, to: "other.pem")
        try writeKey(try key.serializeAsPEM().pemString, mode: 0o600)
    }

    private static func certificate(
        of key: Certificate.PrivateKey,
        begin: TimeInterval = -7200,
        end: TimeInterval = 30 * 86_400
    ) throws -> String {
        let name = try DistinguishedName { CommonName("client") }
        return try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSinceNow: begin),
            notValidAfter: Date(timeIntervalSinceNow: end),
            issuer: name,
            subject: name,
            extensions: .init(),
            issuerPrivateKey: key
        ).serializeAsPEM().pemString + "\n"
    }

    private func writeKey(_ text: String, mode: Int) throws {
        let file = try directory.write(text, to: "client.key")
        try FileManager.default.setAttributes([.posixPermissions: mode], ofItemAtPath: file)
    }

    private func yaml(_ certificate: String) -> String {
        Minimal.withAPI(
            "tls: {client_certificate: \(directory.path)/\(certificate), "
                + "client_private_key: \(directory.path)/client.key}"
        )
    }

    @Test("are read when they belong together, and the key is not told")
    func good() throws {
        let configuration = try read(yaml("client.pem"))
        let identity = try #require(configuration.proxy.apis.first?.tls.clientIdentity)
        #expect(identity.chain.count == 2)
        #expect(identity.chain.first?.publicKey == key.publicKey)
        #expect(identity.key == key)
        var dumped = ""
        dump(identity, to: &dumped)
        for text in ["\(identity)", String(reflecting: identity), dumped] {
            #expect(text.contains("client") && !text.contains("rivate"), "\(text)")
        }
        #expect(configuration.warnings == [])
    }

    @Test(
        "are a mistake when the key is not the certificate's",
        arguments: [("other.pem", "is not the key of"), ("reversed.pem", "put that one first")]
    )
    func mismatch(_ file: String, _ words: String) {
        let found = mistakes(yaml(file).utf8)
        #expect(found.count == 1 && found[0].contains(words), "\(found)")
    }

    @Test("are a mistake when others can read or write the key", arguments: [0o640, 0o604, 0o644, 0o660, 0o602])
    func permissions(_ mode: Int) throws {
        try writeKey(try key.serializeAsPEM().pemString, mode: mode)
        let found = mistakes(yaml("client.pem").utf8)
        #expect(found.count == 1 && found[0].contains("mode 0\(String(mode, radix: 8))"), "\(found)")
        #expect(found.first?.contains("chmod 600 ") == true)
    }

    @Test("are a mistake when the key cannot be read, and nothing of it is told")
    func unreadable() throws {
        for text in ["-----BEGIN PRIVATE KEY-----\ns3cr3t\n-----END PRIVATE KEY-----\n", "s3cr3t", ""] {
            try writeKey(text, mode: 0o600)
            let found = mistakes(yaml("client.pem").utf8)
            #expect(found.count == 1 && found[0].contains("no private key that can be used"), "\(found)")
            #expect(!found.joined().contains("s3cr3t"))
        }
    }

    /// Times in days.
    @Test(
        "are told when the certificate is of no use, or soon: not so when it always has so little time",
        arguments: [
            (begin: -90, end: 15, nil), (begin: -90, end: 13, (.warning, "expires on ")),
            (begin: -1, end: 1, nil), (begin: -5, end: 2, (.warning, "expires on ")),
            (begin: -90, end: -1, (.error, "expired on ")), (begin: 1, end: 90, (.error, "is not valid before ")),
        ] as [(begin: Double, end: Double, told: (Advice.Severity, String)?)]
    )
    func validity(begin: Double, end: Double, told: (Advice.Severity, String)?) throws {
        let certificate = try Self.certificate(of: key, begin: begin * 86_400, end: end * 86_400)
        try directory.write(certificate, to: "dated.pem")
        let advice = try read(yaml("dated.pem")).warnings
        #expect(advice.count == (told == nil ? 0 : 1))
        #expect(advice.first?.severity == told?.0)
        #expect(advice.first?.message.contains("tls.client_certificate \(told?.1 ?? "")") == (told == nil ? nil : true))
    }
}
