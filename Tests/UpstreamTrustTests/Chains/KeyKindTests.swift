import Foundation
import Testing
import TestSupport
import UpstreamTrust
import X509

@Suite(.generousLimit, .timed) struct KeyKindTests {
    private func verify(_ name: String, pinning: PinningPolicy? = nil) async throws -> TrustDecision {
        try await verify([CertificateFixture.bytes(name)], pinning: pinning)
    }

    private func verify(_ presented: [[UInt8]], pinning: PinningPolicy? = nil) async throws -> TrustDecision {
        let root = try PEMCertificates.parse(CertificateFixture.text("root.pem"))
        return await ChainVerifier(policy: TLSPolicy(trust: .certificates(root))).verify(
            presentedDER: presented,
            serverName: ServerName(host: "api.example.com"),
            pinning: pinning,
            at: CertificateFixture.now
        )
    }

    @Test(
        "A key of a supported kind is accepted, and has the pins that OpenSSL computes",
        arguments: ["rsa-2048", "p-256", "p-384", "p-521", "ed25519"]
    )
    func aKeyThatIsSupportedIsAcceptedAndPinnedAsOpenSSLComputesIt(_ name: String) async throws {
        let fixture = try #require(try CertificateFixture.all.get()[name])
        let path = try await verify(name).get().path
        let leaf = try #require(path.first)
        #expect(try Pin.publicKey(of: leaf).text == fixture.publicKeyPin)
        #expect(try Pin.certificate(leaf).text == fixture.certificatePin)
        let pins = [
            PinningPolicy(mode: .publicKey, pins: [try Pin(validating: fixture.publicKeyPin)]),
            PinningPolicy(mode: .certificate, pins: [try Pin(validating: fixture.certificatePin)]),
        ]
        for pinning in pins { #expect(try await verify(name, pinning: pinning).get().path == path) }
        let wrongMode = PinningPolicy(mode: .certificate, pins: pins[0].pins)
        let refused = try await verify(name, pinning: wrongMode)
        #expect(throws: TrustFailure.self) { try refused.get() }
    }

    @Test("A certificate whose signature is not a whole number of bytes is refused")
    func aSignatureWithUnusedBitsIsRefused() async throws {
        var bytes = try CertificateFixture.bytes("ed25519")
        // The bit string that ends the certificate: tag, length, how many bits are unused, and a SEQUENCE of two
        // numbers.
        let length = (71...73).first { bytes.suffix($0 + 2).starts(with: [0x03, UInt8($0), 0, 0x30]) }
        bytes[bytes.count - (try #require(length))] = 1
        // DER has unused bits be zero.
        bytes[bytes.count - 1] &= 0xfe
        let result = try await verify([bytes])
        guard case .refused(let failure) = result else {
            Issue.record("accepted")
            return
        }
        #expect(failure.label == "unreadable_certificate")
        #expect(failure.sentence.contains("its signature is not a whole number of bytes"), "\(failure.sentence)")
    }

    @Test(
        "A key that is weak or of an unsupported kind is refused, and its pins are told",
        arguments: [
            ("rsa-1024", "weak_key", "1024 bits"), ("rsa-1536", "weak_key", "1536 bits"),
            ("dsa", "unreadable_certificate", "keys of its kind (1.2.840.10040.4.1)"),
            ("ed448", "unreadable_certificate", "keys of its kind (1.3.101.113)"),
            ("secp256k1", "unreadable_certificate", "keys of its kind (1.3.132.0.10)"),
            ("rsa-pss", "unreadable_certificate", "keys of its kind (1.2.840.113549.1.1.10)"),
            ("p-256-compressed", "unreadable_certificate", "not encoded"),
        ]
    )
    func aKeyThatIsWeakOrUnsupportedIsRefusedAndItsPinsAreTold(_ name: String, label: String, words: String)
        async throws
    {
        let fixture = try #require(try CertificateFixture.all.get()[name])
        let result = try await verify(name)
        guard case .refused(let failure) = result else {
            Issue.record("accepted")
            return
        }
        #expect(failure.label == label)
        #expect(failure.sentence.contains(words), "\(failure.sentence)")
        #expect(failure.detail.contains("- \(fixture.publicKeyPin)  # public_key"))
        #expect(failure.detail.contains("- \(fixture.certificatePin)  # certificate"))
    }

    @Test("An intermediate certificate with a weak key is named by its position")
    func anIntermediateWithAWeakKeyIsNamedByItsPosition() async throws {
        let certificates = try TestCertificates.all.get()
        let result = await ChainVerifier(policy: TLSPolicy(trust: .certificates([try certificates["root"]]))).verify(
            presentedDER: [try Bytes.of(certificates["leaf"]), try CertificateFixture.bytes("rsa-1024")],
            serverName: ServerName(host: "api.example.com"),
            pinning: nil,
            at: TestCertificates.now
        )
        guard case .refused(let failure) = result else {
            Issue.record("accepted")
            return
        }
        #expect(failure.label == "weak_key")
        #expect(failure.sentence.contains("certificate 2"), "\(failure.sentence)")
    }

    @Test(
        "Bytes that are no certificate are refused as unreadable",
        arguments: [
            [], [0x30], [0x30, 0x03, 1, 2, 3], Array("not DER".utf8), [UInt8](repeating: 0x30, count: 70_000),
        ]
    )
    func bytesThatAreNoCertificateAreRefused(_ bytes: [UInt8]) async throws {
        let result = try await verify([bytes])
        guard case .refused(let failure) = result else {
            Issue.record("accepted")
            return
        }
        #expect(failure.label == "unreadable_certificate")
        #expect(failure.presented.map(\.role) == [.unreadable])
        #expect(failure.presented.first?.publicKeyPin == nil)
    }
}
