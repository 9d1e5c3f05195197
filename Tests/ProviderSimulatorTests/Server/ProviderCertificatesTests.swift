import FoundationEssentials
import ProviderSimulator
import SwiftASN1
import Testing
import TestSupport
@_spi(FixedExpiryValidationTime) import X509

@Suite(.generousLimit, .timed) struct ProviderCertificatesTests {
    private static let now = Date(timeIntervalSince1970: 1_700_000_000)

    private func verify(_ certificates: ProviderCertificates, host: String) async -> Bool {
        var verifier = Verifier(rootCertificates: CertificateStore([certificates.root])) {
            RFC5280Policy(fixedExpiryValidationTime: Self.now)
            ServerIdentityPolicy(serverHostname: host, serverIP: nil)
        }
        let intermediates = CertificateStore([certificates.intermediate])
        let result = await verifier.validate(leaf: certificates.leaf, intermediates: intermediates)
        if case .validCertificate(let chain) = result { return chain.count == 3 }
        return false
    }

    @Test func `the leaf chains to the root for its names alone`() async throws {
        let certificates = try ProviderCertificates(dnsNames: ["a.test", "b.test"], now: Self.now)
        #expect(await verify(certificates, host: "a.test"))
        #expect(await verify(certificates, host: "b.test"))
        #expect(await !verify(certificates, host: "c.test"))
    }

    @Test func `a leaf can be made expired`() async throws {
        let certificates = try ProviderCertificates(
            dnsNames: ["a.test"],
            now: Self.now,
            leafValidity: Self.now.addingTimeInterval(-20)..<Self.now.addingTimeInterval(-10)
        )
        #expect(await !verify(certificates, host: "a.test"))
    }

    @Test func `the leaf's key is in no description`() throws {
        let certificates = try ProviderCertificates(dnsNames: ["a.test"], now: Self.now)
        #expect("\(certificates)" == "<certificates of CN=a.test>")
        #expect(String(reflecting: certificates) == "<certificates of CN=a.test>")
        var dumped = ""
        dump(certificates, to: &dumped)
        #expect(!dumped.contains("leafKey"))
    }

    @Test func `PEM is what was made`() throws {
        let certificates = try ProviderCertificates(dnsNames: ["a.test"], now: Self.now)
        #expect(try Certificate(pemEncoded: certificates.rootPEM) == certificates.root)
        #expect(try Certificate(pemEncoded: certificates.intermediatePEM) == certificates.intermediate)
        #expect(try Certificate(pemEncoded: certificates.leafPEM) == certificates.leaf)
    }
}
