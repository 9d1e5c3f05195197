import Crypto
import CryptoExtras
import Foundation
import Testing

@testable import OAuthSigning
@testable import SignatureComparison

@Suite("Digest functions")
struct DigestFunctionTests {
    /// FIPS 180-4's example, and RFC 4231's first test case.
    @Test("SHA-224 is that of the standard")
    func sha224() {
        let digests = [
            ("abc", "23097d223405d8228642a477bda255b32aadbce4bda0b3f7e36c9da7"),
            ("", "d14a028c2a3a2bc9476102bb288234c415a2b01f828ea62ac5b3e42f"),
            (
                "abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq",
                "75388b16512776cc5dba5da1fd890150b0c6455cb4f58b1952522525"
            ),
        ]
        for (text, digest) in digests { #expect(hexadecimal(DigestFunction.sha224.hash(Array(text.utf8))) == digest) }
        let code = DigestFunction.sha224.code(key: Array(repeating: 0x0b, count: 20), text: Array("Hi There".utf8))
        #expect(hexadecimal(code) == "896fb1128abbdf196832107cd49df33f47b4b1169912ba4f53684b22")
    }

    @Test("A code is the library's, whatever the length of the key", arguments: [0, 20, 64, 65, 128, 129, 300])
    func codes(_ count: Int) {
        let (key, text) = (Array(repeating: UInt8(7), count: count), Array("text".utf8))
        let symmetric = SymmetricKey(data: key)
        #expect(
            DigestFunction.sha1.code(key: key, text: text)
                == Array(HMAC<Insecure.SHA1>.authenticationCode(for: text, using: symmetric))
        )
        #expect(
            DigestFunction.sha512.code(key: key, text: text)
                == Array(HMAC<SHA512>.authenticationCode(for: text, using: symmetric))
        )
        #expect(
            DigestFunction.sha384.code(key: key, text: text)
                == Array(HMAC<SHA384>.authenticationCode(for: text, using: symmetric))
        )
        for function in DigestFunction.allCases {
            #expect(function.code(key: key, text: text).count == function.byteCount)
        }
    }

    private func hexadecimal(_ bytes: [UInt8]) -> String { bytes.map { String(format: "%02x", $0) }.joined() }
}

@Suite("The message within an RSA signature")
struct RSAEncodedMessageTests {
    private static let key = try? _RSA.Signing.PrivateKey(keySize: .bits2048)

    private func message(_ signature: some DataProtocol, _ key: _RSA.Signing.PrivateKey) throws -> RSAEncodedMessage {
        let verification = try RSAVerificationKey(pem: key.publicKey.pemRepresentation)
        return try #require(RSAEncodedMessage(signature: Array(signature), key: verification))
    }

    @Test("The padding of a signature is seen, and its hash")
    func paddings() throws {
        let key = try #require(Self.key)
        let text = Data("text".utf8)
        let plain = try message(
            key.signature(for: SHA256.hash(data: text), padding: .insecurePKCS1v1_5).rawRepresentation,
            key
        )
        #expect(plain.isOfKey && !plain.isPSS)
        #expect(plain.holds(Array(text), hashedBy: .sha256) && !plain.holds(Array(text), hashedBy: .sha1))
        #expect(!plain.holds([], hashedBy: .sha256))
        let pss = try message(key.signature(for: SHA256.hash(data: text), padding: .PSS).rawRepresentation, key)
        #expect(pss.isOfKey && pss.isPSS && pss.payload == nil)
        func holds(_ text: [UInt8], _ function: DigestFunction, _ mask: DigestFunction) -> Bool {
            pss.holdsAsPSS(text, hashedBy: function, maskedBy: mask)
        }
        #expect(holds(Array(text), .sha256, .sha256) && !holds([], .sha256, .sha256))
        #expect(!holds(Array(text), .sha1, .sha1) && !holds(Array(text), .sha256, .sha1))
    }

    @Test("A signature of another key, and one of another length, are told from it")
    func otherKey() throws {
        let key = try #require(Self.key)
        let other = try _RSA.Signing.PrivateKey(keySize: .bits2048)
        let signature = try other.signature(for: SHA256.hash(data: Data()), padding: .insecurePKCS1v1_5)
            .rawRepresentation
        let verification = try RSAVerificationKey(pem: key.publicKey.pemRepresentation)
        // A signature may be larger than another key's modulus.
        let message = RSAEncodedMessage(signature: Array(signature), key: verification)
        #expect(message.map { $0.payload == nil } ?? true)
        #expect(RSAEncodedMessage(signature: [1, 2, 3], key: verification) == nil)
    }
}
