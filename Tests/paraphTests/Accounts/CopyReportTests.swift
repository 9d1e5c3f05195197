import Credentials
import Testing

@testable import paraph

@Suite("The report on a copying")
struct CopyReportTests {
    private static let name = CredentialName(api: "x", account: "b\u{1B}ob")

    @Test("All has arrived")
    func complete() {
        var report = CopyReport(source: "/vault", destination: "paraph/ in etcd")
        let first = report.add(Self.name, .copied)
        #expect(first.line == "x\tbob\tcopied")
        #expect(first.problem == nil)
        for outcome in [CopyOutcome.present, .copied, .replaced, .removed] {
            #expect(report.add(Self.name, outcome).problem == nil)
        }
        #expect(report.isComplete)
        #expect(
            report.text == "5 credentials of /vault, for paraph/ in etcd: 2 copied; 1 there already; 1 replaced; 1 "
                + "removed meanwhile."
        )
    }

    @Test("There was nothing to copy")
    func empty() {
        let report = CopyReport(source: "/vault", destination: "paraph/ in etcd")
        #expect(report.isComplete)
        #expect(report.text == "0 credentials of /vault, for paraph/ in etcd.")
    }

    @Test(
        "What has not arrived is told by its name, and so that it can be corrected",
        arguments: [
            (
                CopyOutcome.different(ours: 0, theirs: 1_800_000_000), "x/b",
                "it was obtained at 2027-01-15T08:00:00Z, the source's at 1970-01-01T00:00:00Z. With --replace"
            ),
            (.occupied(.damaged(path: "/vault/file")), "x/b", "with --replace"),
            (.changed, "x/b", "Run the command again"),
            (.unreadable(.damaged(path: "/vault/file")), "x/b", "The vault file /vault/file is damaged"),
            (.refused(.credentialTooLarge(bytes: 2, limit: 1)), "x/b", "more than the 1"),
        ]
    )
    func problems(outcome: CopyOutcome, name: String, remedy: String) throws {
        var report = CopyReport(source: "/vault", destination: "paraph/ in etcd")
        let problem = try #require(report.add(Self.name, outcome).problem)
        #expect(problem.hasPrefix(name) && problem.contains(remedy))
        #expect(!report.isComplete)
        #expect(report.text.hasPrefix("1 credential of /vault, for paraph/ in etcd: 1 \(outcome.label). Not all"))
    }

    @Test("Those without a name, and an early end, count as what has not arrived")
    func incomplete() {
        var report = CopyReport(source: "/vault", destination: "paraph/ in etcd")
        report.addNameless()
        #expect(!report.isComplete)
        #expect(report.text.contains("1 cannot be opened"))
        var brokenOff = CopyReport(source: "/vault", destination: "paraph/ in etcd")
        brokenOff.breakOff()
        #expect(!brokenOff.isComplete)
    }
}
