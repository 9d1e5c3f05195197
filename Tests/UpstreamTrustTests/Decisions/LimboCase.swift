import Bytes
import FoundationEssentials
import Testing
import X509

@testable import UpstreamTrust

/// A case of the suite x509-limbo, as `Fixtures/limbo/README.md` tells.
struct LimboCase: Sendable, CustomTestStringConvertible {
    static let all = Result { try Limbo() }

    var name: String
    /// Indicates whether the suite wants the chain accepted.
    var isAskedToBeAccepted: Bool
    /// `accepted`, or the label of the failure.
    var decision: String
    /// The name that is asked for; empty: none is.
    var host: String
    var time: Date
    /// DER.
    var presented: [[UInt8]]
    var trusted: [[UInt8]]
    /// The revocation lists; where there are any, each certificate has to have one that tells of it.
    var revocationLists: [[UInt8]]
    /// The reason why it is decided otherwise than the suite asks; empty where it is not.
    var deviation: String

    var testDescription: String { name }

    func decide() async -> TrustDecision {
        let roots = trusted.compactMap { PresentedCertificate(bytes: $0).certificate }
        let lists = revocationLists.compactMap { try? RevocationList(der: $0) }
        let policy = TLSPolicy(
            trust: .certificates(roots),
            verifiesHostname: !host.isEmpty,
            revocation: revocationLists.isEmpty ? nil : RevocationPolicy(lists: lists, onMissing: .refuse)
        )
        return await ChainVerifier(policy: policy).verify(
            presentedDER: presented,
            serverName: ServerName(host: host),
            pinning: nil,
            at: time
        )
    }

    struct Limbo {
        var cases: [LimboCase] = []

        init() throws {
            let certificates = try Self.blobs("certificates.txt")
            let lists = try Self.blobs("revocation-lists.txt")
            for line in try CertificateFixture.text("limbo/cases.tsv").split(separator: "\n") {
                let columns = line.split(separator: "\t", omittingEmptySubsequences: false).map { String($0) }
                guard columns.count == 9, let time = Double(columns[4]) else {
                    throw CertificateFixture.Missing(name: String(line))
                }
                cases.append(
                    LimboCase(
                        name: columns[0],
                        isAskedToBeAccepted: columns[1] == "accept",
                        decision: columns[2],
                        host: columns[3],
                        time: Date(timeIntervalSince1970: time),
                        presented: try Self.pick(columns[5], from: certificates),
                        trusted: try Self.pick(columns[6], from: certificates),
                        revocationLists: try Self.pick(columns[7], from: lists),
                        deviation: columns[8]
                    )
                )
            }
        }

        private static func blobs(_ file: String) throws -> [[UInt8]] {
            try CertificateFixture.text("limbo/" + file).split(separator: "\n").map { line in
                guard let bytes = Base64.decode(Array(line.utf8).span) else {
                    throw CertificateFixture.Missing(name: file)
                }
                return bytes
            }
        }

        private static func pick(_ numbers: String, from blobs: [[UInt8]]) throws -> [[UInt8]] {
            try numbers.split(separator: " ").map { number in
                guard let index = Int(number), blobs.indices.contains(index) else {
                    throw CertificateFixture.Missing(name: String(number))
                }
                return blobs[index]
            }
        }
    }
}
