import Foundation
import SigningVectors
import Testing

@testable import OAuthSigning

@Suite("RSA keys")
struct RSATests {
    private static func pem(_ name: String) throws -> String {
        let url = try #require(Bundle.module.url(forResource: name, withExtension: "pem", subdirectory: "Fixtures"))
        return try String(contentsOf: url, encoding: .utf8)
    }

    @Test("PKCS#1 and PKCS#8 are read alike, whatever the line ends", arguments: ["rsa-1024-pkcs1", "rsa-1024-pkcs8"])
    func formats(_ name: String) throws {
        let pem = try Self.pem(name)
        let publicKey = try RSAVerificationKey(pem: Self.pem("rsa-1024-public"))
        for text in [pem, pem.replacing("\n", with: "\r\n"), "\n" + pem + "\n\n"] {
            let key = try RSASigningKey(pem: Secret(text))
            let signature = try key.signature(of: Array("message".utf8)[...], digest: .sha256)
            #expect(signature.count == 128)
            #expect(publicKey.isValid(signature: signature, of: Array("message".utf8)[...], digest: .sha256))
            #expect(!publicKey.isValid(signature: signature, of: Array("massage".utf8)[...], digest: .sha256))
            #expect(!publicKey.isValid(signature: signature, of: Array("message".utf8)[...], digest: .sha1))
        }
    }

    @Test("Each RSA method is verified with the public key", arguments: SignatureMethod.allCases.filter(\.isRSA))
    func verification(_ method: SignatureMethod) throws {
        let key = try RSASigningKey(pem: Secret(Self.pem("rsa-1024-pkcs8")))
        let client = ClientCredentials(identifier: "c", sharedSecret: Secret(""), privateKey: key)
        let request = try SignableRequest(client: client, options: SigningOptions(signatureMethod: method))
        var sent = request.applying(try request.sign())
        #expect(throws: Never.self) { try sent.verify(request.credentials).get() }
        sent.target = Array("/other".utf8)
        #expect(throws: VerificationFailure.self) { try sent.verify(request.credentials).get() }
        #expect(try request.explain().maskedKey == "RSA private key, 1024 bits")
    }

    @Test("A key of fewer than 1024 bits is refused")
    func tooSmall() throws {
        let pem = try Self.pem("rsa-512")
        #expect(throws: SigningError.privateKeyTooSmall) { try RSASigningKey(pem: Secret(pem)) }
    }

    @Test("What is no private key is refused", arguments: ["rsa-1024-public", "rsa-1024-encrypted", ""])
    func unreadable(_ name: String) throws {
        let text = name.isEmpty ? "no PEM" : try Self.pem(name)
        #expect(throws: SigningError.privateKeyUnreadable) { try RSASigningKey(pem: Secret(text)) }
    }

    @Test("A private key is printed by nothing")
    func printing() throws {
        let pem = try Self.pem("rsa-1024-pkcs8")
        let key = try RSASigningKey(pem: Secret(pem))
        var dumped = ""
        dump(ClientCredentials(identifier: "c", sharedSecret: Secret("s"), privateKey: key), to: &dumped)
        #expect(dumped.contains("RSA private key, 1024 bits") && !dumped.contains("Signing.PrivateKey"))
    }
}
