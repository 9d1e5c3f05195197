import Crypto
import CryptoExtras
import OAuthSigning
import Testing

@testable import ParaphConfiguration

@Suite("A text in the place of a private key")
struct PrivateKeyFormTests {
    private static let body = "MIIEuwIBADANBgkqhkiG9w0BAQEFAASCBKUwggSh\n"

    private static func block(_ label: String) -> String {
        "-----BEGIN \(label)-----\n\(body)-----END \(label)-----\n"
    }

    @Test(
        "is told by its form",
        arguments: [
            ("/etc/paraph/key.pem", "looks like a path"), ("key.pem", "looks like a path"),
            (block("EC PRIVATE KEY"), "elliptic curve"), (block("PUBLIC KEY"), "is a public key"),
            (block("CERTIFICATE"), "is a certificate"), (block("ENCRYPTED PRIVATE KEY"), "is encrypted"),
            (block("OPENSSH PRIVATE KEY"), "OpenSSH"),
            (block("PRIVATE KEY").replacing("\n", with: #"\n"#), #"has \n in place"#),
            (block("PRIVATE KEY").replacing("\n", with: " ") + "\n", "is on one line"),
            (P256.Signing.PrivateKey().pemRepresentation, "elliptic curve"),
        ]
    )
    func forms(_ text: String, _ words: String) {
        let found = PrivateKeyForm.words(on: Secret(text))
        #expect(found?.contains(words) == true, "\(found ?? "nothing")")
    }

    @Test("is not told of where nothing is known", arguments: [block("PRIVATE KEY"), "hunter2", ""])
    func unknown(_ text: String) {
        let found = PrivateKeyForm.words(on: Secret(text))
        #expect(found == nil)
    }
}
