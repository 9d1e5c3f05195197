import FoundationEssentials
import TestSupport
import Testing

@testable import UpstreamTrust

@Suite(.generousLimit, .timed) struct RevocationTests {
    struct Row: Sendable, CustomTestStringConvertible {
        var lists: [String]
        var intermediate = "intermediate"
        /// The label where missing lists are accepted, and where they are refused; nil: accepted.
        var accepting: String?
        var refusing: String?

        init(_ lists: [String], by intermediate: String = "intermediate", accept: String? = nil, refuse: String? = nil)
        {
            self.lists = lists
            self.intermediate = intermediate
            accepting = accept
            refusing = refuse
        }

        var testDescription: String { "\(lists) by \(intermediate)" }
    }

    static let rows = [
        Row([], refuse: missing), Row(["of-root.crl"], refuse: missing), Row(["empty.crl"], refuse: missing),
        Row(["of-root.crl", "empty.crl"]), Row(["both.crl"]), Row(["of-root.crl", "empty.der"]),
        Row(["of-root.crl", "unknown-not-critical.crl"]), Row(["of-root.crl", "revokes-another.crl"]),
        Row(["of-root.crl", "revokes.crl"], accept: "revoked", refuse: "revoked"),
        Row(["revokes.crl"], accept: "revoked", refuse: "revoked"),
        Row(["of-root-revokes.crl", "empty.crl"], accept: "revoked", refuse: "revoked"),
        Row(["of-root.crl", "old.crl"], refuse: "revocation_list_expired"),
        Row(["of-root.crl", "old-revokes.crl"], accept: "revoked", refuse: "revoked"),
        Row(["of-root.crl", "old-revokes.crl", "empty.crl"]),
        Row(["of-root.crl", "future.crl"], refuse: missing), Row(["of-root.crl", "future.crl", "empty.crl"]),
        Row(["of-root.crl", "forged.crl"], refuse: missing), Row(["forged.crl", "both.crl"]),
        Row(["both.crl"], by: "no-lists", refuse: missing), Row(["revokes.crl"], by: "no-lists", refuse: missing),
    ]

    private static let missing = "revocation_list_missing"

    private static func bytes(_ file: String) throws -> [UInt8] { try CertificateFixture.bytes("revocation/" + file) }

    private func decide(_ row: Row, _ onMissing: RevocationAction) async throws -> TrustDecision {
        let roots = try PEMCertificates.parse(CertificateFixture.text("revocation/root.pem"))
        let lists = try row.lists.flatMap {
            try RevocationListFile.parse(CertificateFixture.contents("revocation/" + $0))
        }
        let policy = TLSPolicy(
            trust: .certificates(roots),
            revocation: RevocationPolicy(lists: lists, onMissing: onMissing)
        )
        return await ChainVerifier(policy: policy).verify(
            presentedDER: [try Self.bytes("leaf"), try Self.bytes(row.intermediate)],
            serverName: ServerName(host: "api.example.com"),
            pinning: nil,
            at: CertificateFixture.now
        )
    }

    @Test("A path is accepted or refused by the revocation lists of its issuers", arguments: rows)
    func aPathIsHeldAgainstTheListsOfItsIssuers(_ row: Row) async throws {
        for (action, label) in [(RevocationAction.accept, row.accepting), (.refuse, row.refusing)] {
            switch try await decide(row, action) {
            case .accepted: #expect(label == nil, "\(action)")
            case .refused(let failure): #expect(failure.label == label, "\(action): \(failure.sentence)")
            }
        }
    }

    @Test(
        "The sentence of a refusal says which certificate was revoked, or which list is missing or old",
        arguments: [
            (
                ["of-root.crl", "revokes.crl"],
                "\"CN=api.example.com\" (serial number 80:ff) was revoked by its issuer on 2026-11-30T00:00:00Z: "
                    + "its key may be known to others"
            ),
            (["of-root.crl", "old.crl"], "the next one was due on 2026-03-01T00:00:00Z; put that one in its place"),
            (["of-root.crl"], "none of the revocation lists (tls.revocation.crls) tells of \"CN=api.example.com\""),
        ]
    )
    func theSentenceSaysWhatToDo(_ lists: [String], words: String) async throws {
        guard case .refused(let failure) = try await decide(Row(lists), .refuse) else {
            Issue.record("accepted")
            return
        }
        #expect(failure.sentence.contains(words), "\(failure.sentence)")
    }

    @Test(
        "A revocation list that is not complete, or not understood, is refused with its reason",
        arguments: [
            ("delta.crl", .delta), ("partial.crl", .partial), ("indirect.crl", .indirect),
            ("unknown.crl", .unknownCriticalExtension("1.3.6.1.4.1.99999.1")),
            ("root.pem", .otherBlock(kind: "CERTIFICATE")),
            ("make_lists.py", .noList),
        ] as [(String, RevocationListError)]
    )
    func whatIsNoCompleteListIsNotRead(_ file: String, error: RevocationListError) throws {
        let bytes = try CertificateFixture.contents("revocation/" + file)
        #expect(throws: error) { try RevocationListFile.parse(bytes) }
    }

    @Test("A revocation list that is cut off anywhere, or goes on after its end, is refused")
    func aDamagedListIsNotRead() throws {
        let bytes = try CertificateFixture.contents("revocation/empty.der")
        _ = try RevocationListFile.parse(bytes)
        for count in bytes.indices.dropFirst() {
            #expect(throws: RevocationListError.malformed, "\(count)") {
                try RevocationListFile.parse(Array(bytes.prefix(count)))
            }
        }
        #expect(throws: RevocationListError.malformed) { try RevocationListFile.parse(bytes + [0]) }
        #expect(throws: RevocationListError.noList) { try RevocationListFile.parse([]) }
    }

    @Test(
        "A civil time is a number of seconds since 1970, also before then",
        arguments: [
            ((1970, 1, 1, 0, 0, 0), 0), ((1969, 12, 31, 23, 59, 59), -1), ((2000, 2, 29, 12, 0, 0), 951_825_600),
            ((2000, 3, 1, 0, 0, 0), 951_868_800), ((2100, 3, 1, 0, 0, 0), 4_107_542_400),
            ((2026, 12, 31, 23, 59, 59), 1_798_761_599), ((9999, 12, 31, 23, 59, 59), 253_402_300_799),
            ((0, 1, 1, 0, 0, 0), -62_167_219_200),
        ] as [((Int, Int, Int, Int, Int, Int), Double)]
    )
    func aCivilTimeIsSecondsSince1970(_ time: (Int, Int, Int, Int, Int, Int), seconds: Double) {
        let civil = CivilTime(time.0, time.1, time.2, time.3, time.4, time.5)
        #expect(civil.date.timeIntervalSince1970 == seconds)
    }
}
