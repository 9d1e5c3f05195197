import Files
import SwiftASN1
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

    /// The authority of the leaf in ``long``, its list, which revokes that leaf, and the list of its root.
    static let longIssuer = certificates("revocation/intermediate.pem")[0]
    static let revoking: [UInt8] = {
        guard let document = try? PEMDocument(pemString: text("revocation/revokes.crl")) else {
            fatalError("no list in \(folder)")
        }
        return document.derBytes
    }()
    static let ofRoot: [RevocationList] = {
        guard let lists = try? RevocationListFile.parse(Array(text("revocation/of-root.crl").utf8)) else {
            fatalError("no list in \(folder)")
        }
        return lists
    }()

    /// ``long`` where lists are asked.
    static func revoked(by policy: RevocationPolicy) -> ChainFixture {
        ChainFixture(root: "revocation/root.pem", long.presented, policy)
    }

    private static let folder: String = {
        let parts = #filePath.split(separator: "/").dropLast(4)
        return "/" + parts.joined(separator: "/") + "/UpstreamTrustTests/Fixtures/"
    }()

    private init(root: String, _ names: [String]) {
        self.init(
            root: root,
            names.flatMap { Self.certificates($0).map { PresentedCertificate($0).bytes } },
            nil
        )
    }

    private init(root: String, _ presented: [[UInt8]], _ revocation: RevocationPolicy?) {
        verifier = ChainVerifier(
            policy: TLSPolicy(trust: .certificates(Self.certificates(root)), revocation: revocation)
        )
        self.presented = presented
    }

    private static func certificates(_ name: String) -> [Certificate] {
        guard let certificates = try? PEMCertificates.parse(text(name)) else {
            fatalError("no fixture \(folder + name)")
        }
        return certificates
    }

    private static func text(_ name: String) -> String {
        guard let bytes = try? FileContents.read(folder + name, limit: 1 << 20) else {
            fatalError("no fixture \(folder + name)")
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
