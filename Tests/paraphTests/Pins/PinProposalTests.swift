import Crypto
import FoundationEssentials
import Testing
import UpstreamTrust
import X509

@testable import paraph

@Suite("The pins that are proposed")
struct PinProposalTests {
    private static func certificate(_ name: String) throws -> Certificate {
        let key = Certificate.PrivateKey(P256.Signing.PrivateKey())
        let name = try DistinguishedName { CommonName(name) }
        return try Certificate(
            version: .v3,
            serialNumber: .init(),
            publicKey: key.publicKey,
            notValidBefore: Date(timeIntervalSince1970: 0),
            notValidAfter: Date(timeIntervalSince1970: 60),
            issuer: name,
            subject: name,
            extensions: .init(),
            issuerPrivateKey: key
        )
    }

    struct Row: Sendable, CustomTestStringConvertible {
        var path: [String]
        var sameOrganizationRoots: [String] = []
        var position: PinProposal.Position = .root
        var pins: [String]
        var hasBackup = false

        var testDescription: String { "\(path), \(sameOrganizationRoots), \(position)" }
    }

    static let whole = ["leaf", "lower", "upper", "root"]
    static let rows = [
        Row(path: whole, pins: ["root", "lower"]),
        Row(path: ["leaf", "root"], pins: ["root", "leaf"]),
        Row(path: ["root"], pins: ["root"]),
        Row(path: whole, sameOrganizationRoots: ["a"], pins: ["root", "a"], hasBackup: true),
        Row(path: whole, sameOrganizationRoots: ["a", "b", "c", "d"], pins: ["root", "a", "b", "c"], hasBackup: true),
        Row(path: ["root"], sameOrganizationRoots: ["a"], pins: ["root", "a"], hasBackup: true),
        Row(path: whole, sameOrganizationRoots: ["a"], position: .leaf, pins: ["leaf", "lower"]),
        Row(path: ["leaf", "root"], position: .leaf, pins: ["leaf", "root"]),
        Row(path: ["root"], position: .leaf, pins: ["root"]),
    ]

    @Test(
        "are of the root and of others of its organization, or of the leaf and its issuer",
        arguments: rows,
        PinningMode.allCases
    )
    func proposed(_ row: Row, _ mode: PinningMode) throws {
        let names = Set(row.path + row.sameOrganizationRoots)
        let made = try Dictionary(uniqueKeysWithValues: names.map { ($0, try Self.certificate($0)) })
        let proposal = PinProposal(
            path: row.path.compactMap { made[$0] },
            sameOrganizationRoots: row.sameOrganizationRoots.compactMap { made[$0] },
            mode: mode,
            position: row.position
        )
        let expected = try row.pins.compactMap { made[$0] }.map { certificate in
            switch mode {
            case .publicKey: try Pin.publicKey(of: certificate)
            case .certificate: try Pin.certificate(certificate)
            }
        }
        #expect(proposal.pins.map(\.pin) == expected)
        #expect(proposal.hasBackup == row.hasBackup)
        for (entry, name) in zip(proposal.pins, row.pins) { #expect(entry.what.hasSuffix(": CN=\(name)")) }
    }
}
