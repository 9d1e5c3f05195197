import X509

@testable import ParaphConfiguration
@testable import UpstreamTrust

/// A chain that is accepted, of those that the tests have.
struct ChainFixture {
    let verifier: ChainVerifier
    /// The leaf first.
    let presented: [[UInt8]]

    static let short = ChainFixture(root: "root.pem", ["p-256.pem"])
    static let long = ChainFixture(root: "revocation/root.pem", ["revocation/leaf.pem", "revocation/intermediate.pem"])

    private static let folder: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/UpstreamTrustTests/Fixtures/"
    }()

    private init(root: String, _ names: [String]) {
        let policy = TLSPolicy(trust: .certificates(Self.certificates(root)))
        self.verifier = ChainVerifier(policy: policy)
        self.presented = names.flatMap { Self.certificates($0).map { PresentedCertificate($0).octets } }
    }

    private static func certificates(_ name: String) -> [Certificate] {
        guard let octets = try? FileContents.read(folder + name, limit: 1 << 20),
            let certificates = try? PEMCertificates.parse(String(decoding: octets, as: UTF8.self))
        else { fatalError("no fixture \(folder + name)") }
        return certificates
    }
}
