import Crypto
import Foundation
import SwiftASN1
import TestSupport
import Testing

@testable import LocalAuthority

@Suite(.generousLimit, .timed) struct PKCS12TrustStoreTests {
    /// Keys from `openssl kdf -keylen 32 -kdfopt digest:SHA256 -kdfopt pass:… -kdfopt hexsalt:… -kdfopt iter:…
    /// -kdfopt id:3 PKCS12KDF`, the password in UTF-16 with two bytes of zero after it.
    @Test(
        "The key of a trust store's MAC is derived as RFC 7292 has it",
        arguments: [
            (
                password: "changeit", salt: [UInt8](0..<16), iterations: 2048,
                key: "28bc2bdc8fed903ab2805785ab9c166a41ed0222c6ad38b25876476bd45af4e7"
            ),
            (
                password: "changeit", salt: [UInt8](1...8), iterations: 1,
                key: "f2d819deb7b342993f7dfde60789970a16d2fb06f2322a24a29400676ffdec66"
            ),
            (
                password: String(repeating: "pässword ", count: 5), salt: [UInt8](0..<70), iterations: 3,
                key: "8014fb709cea83257aa8687493d787459d1c2f6be2a9f0fb4c18f52078fba5f0"
            ),
        ]
    )
    func theKeyOfTheMACIsThatOfRFC7292(password: String, salt: [UInt8], iterations: Int, key: String) {
        let made = PKCS12MAC.key(password: password, salt: salt, iterations: iterations)
        #expect(made.map { String(format: "%02x", $0) }.joined() == key)
    }

    /// Read back with a parser of the test's own: the names, the certificates and the MAC.
    @Test(
        "A trust store is read back with its certificates, their names and usages, and a valid MAC",
        arguments: [0, 1, 2, 150]
    )
    func whatIsWrittenIsReadBack(count: Int) throws {
        let certificates = (0..<count).map { index in
            (alias: "certificate \(index)", der: [UInt8](repeating: UInt8(index), count: 300 + index))
        }
        let file = try ReadTrustStore(PKCS12TrustStore.encode(certificates, password: "changeit"))
        #expect(file.aliases == certificates.map(\.alias))
        #expect(file.certificates == certificates.map(\.der))
        #expect(file.usages == [[UInt8]](repeating: [0x06, 0x04, 0x55, 0x1D, 0x25, 0x00], count: count))
        let key = PKCS12MAC.key(password: "changeit", salt: file.salt, iterations: file.iterations)
        #expect(
            HMAC<SHA256>.isValidAuthenticationCode(
                file.digest,
                authenticating: file.contents,
                using: SymmetricKey(data: key)
            )
        )
    }

    @Test("Certificates whose names differ at most in case are all kept in a trust store, with numbers")
    func certificatesOfTheSameNameAreAllKept() throws {
        let certificates: [(alias: String, der: [UInt8])] = [
            ("Ä root", [1]), ("ä ROOT", [2]), ("other", [3]), ("Ä root", [4]),
        ]
        let file = try ReadTrustStore(PKCS12TrustStore.encode(certificates, password: "changeit"))
        #expect(file.aliases == ["Ä root", "ä ROOT (2)", "other", "Ä root (3)"])
    }

    @Test("Two trust stores with the same certificates have different salts")
    func theSaltIsAnotherOneEachTime() throws {
        let first = try ReadTrustStore(PKCS12TrustStore.encode([("a", [1])], password: "changeit"))
        let second = try ReadTrustStore(PKCS12TrustStore.encode([("a", [1])], password: "changeit"))
        #expect(first.contents == second.contents)
        #expect(first.salt != second.salt)
        #expect(first.digest != second.digest)
    }
}
