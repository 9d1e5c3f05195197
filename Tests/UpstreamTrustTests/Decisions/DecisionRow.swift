import FoundationEssentials
import SwiftASN1
import Testing
import UpstreamTrust
import X509

/// A row of the tables: what a server presents, the policy, and the decision. Certificates are named as
/// ``TestCertificates`` has them, and `openssl NAME` is a ``CertificateFixture``.
struct DecisionRow: Sendable, CustomTestStringConvertible {
    var what: String
    var presented: [String]
    var trusted: [String]
    var host: String
    var verifiesHostname: Bool
    /// The pins; nil is mode none.
    var pins: PinSet?
    var expected: Expectation

    enum Expectation: Equatable {
        /// A path of the presented certificates and the one that is trusted.
        case accepted
        case path([String])
        /// A refusal with the label of the failure.
        case refused(String)
        case reported(String)
    }

    init(
        _ what: String,
        _ presented: [String],
        trusted: [String] = ["root"],
        host: String = "api.example.com",
        verifiesHostname: Bool = true,
        _ pins: PinSet?,
        _ expected: Expectation
    ) {
        self.what = what
        self.presented = presented
        self.trusted = trusted
        self.host = host
        self.verifiesHostname = verifiesHostname
        self.pins = pins
        self.expected = expected
    }

    /// A row without pins.
    init(
        _ what: String,
        _ presented: [String],
        trusted: [String] = ["root"],
        host: String = "api.example.com",
        verifiesHostname: Bool = true,
        _ expected: Expectation
    ) {
        self.init(
            what,
            presented,
            trusted: trusted,
            host: host,
            verifiesHostname: verifiesHostname,
            nil,
            expected
        )
    }

    var testDescription: String { what }

    func decision(pins: PinSet?) async throws -> TrustDecision {
        let roots = try trusted.flatMap { try PEMCertificates.parse(Self.certificate($0).pem) }
        let policy = TLSPolicy(trust: .certificates(roots), verifiesHostname: verifiesHostname)
        return await ChainVerifier(policy: policy).verify(
            presentedDER: try presented.map { try Self.certificate($0).bytes },
            serverName: ServerName(host: host),
            pinning: try pins?.policy,
            at: TestCertificates.now
        )
    }

    /// The same for certificates that have been read; nil where one cannot be.
    func decisionOfCertificates() async throws -> TrustDecision? {
        guard !presented.contains(where: { $0.hasPrefix("openssl ") }) else { return nil }
        let certificates = try TestCertificates.all.get()
        let roots = try trusted.map { try certificates[$0] }
        let policy = TLSPolicy(trust: .certificates(roots), verifiesHostname: verifiesHostname)
        return try await ChainVerifier(policy: policy).verify(
            presented: try presented.map { try certificates[$0] },
            serverName: ServerName(host: host),
            pinning: try pins?.policy,
            at: TestCertificates.now
        )
    }

    /// The names of the certificates of a path.
    static func path(_ names: [String]) throws -> [Certificate] {
        let certificates = try TestCertificates.all.get()
        return try names.map { try certificates[$0] }
    }

    private static func certificate(_ name: String) throws -> (bytes: [UInt8], pem: String) {
        guard name.hasPrefix("openssl ") else {
            let certificate = try TestCertificates.all.get()[name]
            return (try Bytes.of(certificate), try certificate.serializeAsPEM().pemString)
        }
        let file = String(name.dropFirst("openssl ".count))
        return (try CertificateFixture.bytes(file), try CertificateFixture.text(file + ".pem"))
    }
}
