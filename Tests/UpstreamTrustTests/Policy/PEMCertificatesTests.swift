import Testing
import UpstreamTrust
import X509

@Suite struct PEMCertificatesTests {
    @Test("All certificates of a PEM file are read in their order, whatever is around them")
    func allCertificatesOfAFileAreReadInTheirOrderWhateverIsAround() throws {
        let root = try CertificateFixture.text("root.pem")
        let leaf = try CertificateFixture.text("p-256.pem")
        let plain = try PEMCertificates.parse(root + leaf)
        #expect(plain.count == 2)
        #expect(try Bytes.of(plain[1]) == CertificateFixture.bytes("p-256"))
        #expect(try PEMCertificates.parse("subject=CN\n" + root + "\n# and\n" + leaf + "trailing") == plain)
        let dos = (root + leaf).split(separator: "\n").joined(separator: "\r\n")
        #expect(try PEMCertificates.parse(dos) == plain)
        let indented = (root + leaf).split(separator: "\n").map { $0.hasPrefix("-") ? "\($0) " : "  \($0)" }
        #expect(try PEMCertificates.parse(indented.joined(separator: "\n")) == plain)
        let body = root.split(separator: "\n").filter { !$0.hasPrefix("-") }.joined()
        let oneLine = "-----BEGIN CERTIFICATE-----\n\(body)\n-----END CERTIFICATE-----"
        #expect(try PEMCertificates.parse(oneLine) == [plain[0]])
    }

    static let mistakes: [(String, PEMError)] = [
        ("", PEMError.noCertificate),
        ("-----BEGIN CERTIFICATE\nAAAA\n", .noCertificate),
        (
            "a\n-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n",
            .otherBlock(line: 2, kind: "PRIVATE KEY")
        ),
        ("-----BEGIN \u{7}-----\n", .otherBlock(line: 1, kind: "\\u{7}")),
        ("\n\n-----BEGIN CERTIFICATE-----\nAAAA\n", .unfinished(line: 3)),
        ("-----BEGIN CERTIFICATE-----\n-----BEGIN CERTIFICATE-----\n", .unfinished(line: 1)),
        ("-----BEGIN CERTIFICATE-----\nAAAA\n-----END PRIVATE KEY-----\n", .unfinished(line: 1)),
        ("\n-----END CERTIFICATE-----\n", .endWithoutBegin(line: 2)),
        ("-----BEGIN CERTIFICATE-----\n!!!!\n-----END CERTIFICATE-----", .notBase64(line: 1)),
        ("-----BEGIN CERTIFICATE-----\nAAA\n-----END CERTIFICATE-----", .notBase64(line: 1)),
        ("-----BEGIN CERTIFICATE-----\n-----END CERTIFICATE-----", .notBase64(line: 1)),
        (
            "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----",
            .notACertificate(line: 1, problem: "it is not a DER certificate")
        ),
    ]

    @Test("A mistake in a PEM file is reported with its line", arguments: mistakes)
    func aMistakeIsReportedWithItsLine(_ text: String, error: PEMError) {
        #expect(throws: error) { try PEMCertificates.parse(text) }
    }

    @Test("A PEM file with a certificate that has a weak key is refused")
    func aCertificateWithAWeakKeyIsNoRoot() throws {
        let text = try CertificateFixture.text("p-256.pem") + CertificateFixture.text("rsa-1024.pem")
        let error = #expect(throws: PEMError.self) { try PEMCertificates.parse(text) }
        guard case .notACertificate(_, let problem) = error else {
            Issue.record("\(error.map { "\($0)" } ?? "no error")")
            return
        }
        #expect(problem.contains("1024 bits"))
    }
}
